"""The figures as one self-contained HTML file."""
