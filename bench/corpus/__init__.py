"""A person's logs and notes as the bench replays them."""
