"""The hook's way of finding secrets, without regular expressions, is that of what the miner keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes.private import without_private
from notes.secrets import masked, masked_bytes, secrets_in
from transcripts.logs.redact import redact

LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
#: Made up, each by its form.
SECRETS = [
    "ghp_" + LETTERS,
    "github_pat_" + LETTERS,
    "glpat-" + LETTERS[:20],
    "AKIA" + "Q7R2ZT5WXN3MVB4K",
    "AIza" + "SyB" + LETTERS[:32],
    "xoxb-" + "123456789012-abcDEF123456",
    "sk_live_" + LETTERS[:24],
    "sk-ant-" + "api03-" + LETTERS,
    "sk-proj-" + LETTERS,
    "npm_" + LETTERS,
    "SG." + LETTERS[:22] + "." + LETTERS,
    "hf_" + LETTERS,
    "dop_v1_" + "0123456789abcdef" * 4,
    "12345678:AA" + LETTERS[:33],
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl_x-y",
]
TEXTS = [
    "git clone https://u:p@h/x.git",
    "postgres://app:s3cr3t!@db:5432/app",
    "Authorization: Bearer q7R2zT5wXn3mVb4Kq7R2zT5w",
    "API_KEY=q7R2zT5wXn3mVb4K",
    "client_secret: 'q7R2zT5wXn3mVb4K'",
    '"password": "Tr0ub4dor&3x"',
    "curl -u bob:s3cr3tpw https://h",
    "curl --user=bob:s3cr3tpw https://h",
    "Authorization: Basic Ym9iOnMzY3IzdHB3",
    "send Basic Ym9iOnMzY3IzdHB3 with it",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7b1x\n-----END RSA PRIVATE KEY-----\nbehind",
]
NONE = [
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "token: 123e4567-e89b-12d3-a456-426614174000",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "apiKey: process.env.OPENAI_API_KEY_2",
    "const token = getTokenFromStore2()",
    "token = request.headers.authorization2",
    "API_KEY=${API_KEY}",
    "password: $DB_PASSWORD_1",
    "https://user:password@example.com/x",
    "http://localhost:8080/@scope/pkg",
    "secret_key = SECRET_KEY_V2",
    "max_tokens=4096000000000000",
    "The password: at least 12 characters, one of them 1 digit",
    "sk-learn-based-pipeline-for-text",
    "tokenizer: cl100k_base_offline_v2",
    "Basic authentication and Basic understanding",
    "curl -u $USER:$PASS https://h",
    "docker run -u 1000:1000 img",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "use {}.", '{{"key": "{}"}}', "X={}\nnext", "`{}`"])
def test_a_key_is_masked_as_the_miner_masks_it(secret, around):
    text = around.format(secret)
    assert secret not in masked(text)
    assert masked(text) == redact(text)


@pytest.mark.parametrize("text", [*TEXTS, *NONE])
def test_what_follows_a_name_is_masked_as_the_miner_masks_it(text):
    assert masked(text) == redact(text)
    assert (masked(text) != text) is (text in TEXTS)


PIECES = [
    *SECRETS[:6],
    "secret",
    "API_KEY",
    "token",
    "password",
    "q7R2zT5wXn3mVb4K",
    "Tr0ub4dor&3x",
    "Bearer ",
    "https://u:",
]


@given(st.lists(st.sampled_from([*PIECES, *"aZ9_-.:=/ \"'é"]), max_size=9).map("".join))
def test_masking_twice_changes_nothing(text):
    assert masked(masked(text)) == masked(text)


def test_a_finding_says_the_line_and_not_the_value():
    [found] = secrets_in("one\r\ntwo ghp_" + LETTERS + "\n")
    assert (found.line, found.kind) == (2, "github-token")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <private>b</private> c", "a  c"),
        ("a <PRIVATE>b\n\nc", "a \n\n"),
        ("<private>a</private><private>b</private>c", "c"),
        ("a < private >", "a < private >"),
    ],
)
def test_what_is_private_is_left_out(text, left):
    data = text.encode()
    blanked = without_private(data, b"\0")
    assert len(blanked) == len(data)
    assert blanked.replace(b"\0", b"").decode() == left


def test_a_password_too_short_for_a_mark_is_masked_all_the_same():
    data = b"git clone https://u:p@h/x.git"
    assert masked_bytes(data) == b"git clone https://u:*@h/x.git"
