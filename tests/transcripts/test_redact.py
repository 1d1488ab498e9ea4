"""R28: keys that were pasted into a conversation. All are made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcripts.logs.redact import redact
from transcripts.logs.secret_patterns import RULES
from transcripts.logs.words import words_of_lines

LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SECRETS = {
    "github-token": "ghp_" + LETTERS,
    "aws-key-id": "AKIA" + "Q7R2ZT5WXN3MVB4K",
    "google-api-key": "AIza" + "SyB" + LETTERS[:32],
    "slack-token": "xoxb-" + "123456789012-abcDEF123456",
    "stripe-key": "sk_live_" + LETTERS[:24],
    "anthropic-key": "sk-ant-" + "api03-" + LETTERS,
    "openai-key": "sk-proj-" + LETTERS,
    "npm-token": "npm_" + LETTERS,
    "gitlab-token": "glpat-" + LETTERS[:20],
    "vault-token": "hvs." + "CAESI" + LETTERS,
    "age-key": "AGE-SECRET-KEY-1" + "QPZRY9X8GF" * 5 + "QPZRY9X8",
    "databricks-token": "dapi" + "0123456789abcdef" * 2,
    "linear-key": "lin_api_" + LETTERS + "a1B2",
    "shopify-token": "shpat_" + "0123456789abcdef" * 2,
    "mailgun-key": "key-" + "0123456789abcdef" * 2,
    "heroku-key": "HRKU-AA" + LETTERS + "_" + LETTERS[:20],
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl_x-y",
}


@pytest.mark.parametrize(("kind", "secret"), SECRETS.items())
def test_r28_a_key_is_replaced_by_its_kind_wherever_it_stands(kind, secret):
    for text in (secret, f"use {secret}.", f'{{"key": "{secret}"}}', f"X={secret}\nnext", f"`{secret}`"):
        cleaned = redact(text)
        assert secret not in cleaned
        assert f"[redacted:{kind}]" in cleaned
        assert cleaned.replace(f"[redacted:{kind}]", secret) == text


def test_r28_a_private_key_goes_as_a_block_also_when_its_end_is_missing():
    body = "\n".join(["MIIEpAIBAAKCAQEA7b1x" + "Zz09" * 10] * 3)
    whole = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    assert redact(f"here:\n{whole}\nthanks") == "here:\n[redacted:private-key]\nthanks"
    assert redact(f"here:\n-----BEGIN OPENSSH PRIVATE KEY-----\n{body}") == "here:\n[redacted:private-key]"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("git clone https://u:p@h/x.git", "git clone https://u:[redacted:url-password]@h/x.git"),
        ("postgres://app:s3cr3t!@db:5432/app", "postgres://app:[redacted:url-password]@db:5432/app"),
        ("Authorization: Bearer q7R2zT5wXn3mVb4Kq7R2zT5w", "Authorization: Bearer [redacted:bearer-token]"),
        ("API_KEY=q7R2zT5wXn3mVb4K", "API_KEY=[redacted:secret]"),
        ("client_secret: 'q7R2zT5wXn3mVb4K'", "client_secret: '[redacted:secret]'"),
        ('"password": "Tr0ub4dor&3x"', '"password": "[redacted:password]"'),
        ("token=abc12-def34-ghi56-jkl78", "token=[redacted:secret]"),
        ("secret=/q7R2zT5wXn3mVb4K8sD/fGhJ2kL", "secret=[redacted:secret]"),
        (
            "AccountName=x;AccountKey=" + "aB3/" * 21 + "ab==;EndpointSuffix=y",
            "AccountName=x;AccountKey=[redacted:azure-key];EndpointSuffix=y",
        ),
        (
            "DISCORD_BOT=MTIzNDU2Nzg5MDEyMzQ1Njc4." + "GabcdE." + "abcdefghijklmnopqrstuvwxyz0123456789ab",
            "DISCORD_BOT=[redacted:discord-token]",
        ),
        (
            "https://discord.com/api/webhooks/123456789012345678/" + "aB3_" * 17,
            "https://discord.com/api/webhooks/123456789012345678/[redacted:discord-webhook]",
        ),
        ("TWILIO_KEY=SK" + "0123456789abcdef" * 2, "TWILIO_KEY=[redacted:twilio-key]"),
        ("twilio: auth_token: " + "0123456789abcdef" * 2, "twilio: auth_token: [redacted:twilio-key]"),
        ("MAILGUN=" + "0123456789abcdef" * 2 + "-01234567-89abcdef", "MAILGUN=[redacted:mailgun-key]"),
        ("HEROKU_API_KEY=01234567-89ab-cdef-0123-456789abcdef", "HEROKU_API_KEY=[redacted:heroku-key]"),
    ],
)
def test_r28_a_secret_after_its_name(text, cleaned):
    assert redact(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "token 123e4567-e89b-12d3-a456-426614174000",
        "token: 123e4567-e89b-12d3-a456-426614174000",
        "AKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "apiKey: process.env.X",
        "apiKey: process.env.OPENAI_API_KEY_2",
        "const token = getTokenFromStore2()",
        "token = request.headers.authorization2",
        "API_KEY=${API_KEY}",
        "password: $DB_PASSWORD_1",
        "password: your-password-123",
        "https://user:password@example.com/x",
        "http://localhost:8080/@scope/pkg",
        "see https://example.com/a:b@c",
        "secret_key = SECRET_KEY_V2",
        "token: string | undefined",
        "access_token: accessTokenFromUser",
        "max_tokens=4096000000000000",
        "integrity sha512-Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5d2FsZG8=",
        "The password: at least 12 characters, one of them 1 digit",
        "sk-learn-based-pipeline-for-text",
        "sk-learn-1-2-compatible-pipelines-v3",
        "PWD=/home/dev/projects/app2",
        "OLDPWD=/home/dev/a1",
        "PWD=C:\\Users\\dev2\\app",
        "private_key: /etc/ssl/private/server1.pem",
        "private_key = ~/.ssh/id_ed25519_work",
        "password: /var/run/secrets/db1",
        "secret: my-app-tls-cert-v2",
        "secret: letsencrypt-prod-tls-7d9f8",
        "secret: projects/123/secrets/db-pass/versions/4",
        "secret = rotated-on-2026-01-02",
        "TEST_LOGIN_SECRET=e2e-test-secret-for-ci-only",
        "SK0123456789abcdef0123456789abcdef",
        "cache-key-0123456789abcdef0123456789abcdef",
        "tokenizer: cl100k_base_offline_v2",
    ],
)
def test_what_only_looks_like_a_secret_stays(text):
    assert redact(text) == text


@given(st.text(max_size=200), st.sampled_from(sorted(SECRETS.values())), st.text(max_size=50))
def test_redacting_twice_changes_nothing(before, secret, after):
    once = redact(f"{before} {secret} {after}")
    assert secret not in once
    assert redact(once) == once


@pytest.mark.parametrize("option", ["-u ", "-su ", "-u", "--user ", "--user=", "-s -X POST --user "])
def test_r28_a_password_handed_to_curl(option):
    assert redact(f"curl {option}bob:s3cr3tpw https://h") == f"curl {option}bob:[redacted:curl-password] https://h"


def test_r28_who_a_container_runs_as_and_what_curl_is_told_to_fetch_are_no_passwords():
    for text in ("docker run -u 1000:1000 img", "curl -u $USER:$PASS https://h", "curl -sSf http://localhost:8080/x"):
        assert redact(text) == text


# `bob:s3cr3tpw` and `sk_1234:` as RFC 7617 writes them.
BOB, NO_PASSWORD = "Ym9iOnMzY3IzdHB3", "c2tfMTIzNDo="


@pytest.mark.parametrize("login", [BOB, NO_PASSWORD])
@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Basic {}",
        "Proxy-Authorization: basic {}",
        "curl -H 'AUTHORIZATION: Basic {}' https://h",
        '{{\\"Authorization\\": \\"Basic {}\\"}}',
        'headers.set("Authorization", "Basic {}")',
        "send Basic {} with it",
        "Basic {}",
        'auth = "BASIC {}"',
    ],
)
def test_r28_a_login_as_a_header_has_it(text, login):
    assert redact(text.format(login)) == text.format("[redacted:basic-auth]")


@pytest.mark.parametrize(
    "text",
    [
        "Basic 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "Basic 123e4567-e89b-12d3-a456-426614174000",
        "Basic Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5d2FsZG8=",  # foobarbazqux…: no colon
        "Basic authentication and Basic understanding",
        "Authorization: Basic authentication",
        "Authorization: Basic ${TOKEN}",
        "Authorization: Basic dXNlcjpwYXNzd29yZA==",  # user:password
        "Basic dXNlcjpwYXNzd29yZA==",
        "basic   information-about-the-project",
    ],
)
def test_what_only_follows_the_word_basic_stays(text):
    assert redact(text) == text


NAMES = ["secret", "API_KEY", "api-key", "apikey", "accessKey", "private_key", "token", "password", "PWD", "passwd"]
VALUES = ["q7R2zT5wXn3mVb4K", "Tr0ub4dor&3x", "AKIA" + "Q7R2ZT5WXN3MVB4K", "cTdSMnpUNXdYbjM6bVZiNEs="]
AROUND = [
    "aws ",
    "Bearer ",
    "Authorization: Basic ",
    "curl -u me:",
    "https://u:",
    "@h.org",
    "-----BEGIN RSA PRIVATE KEY-----",
]
PARTS = [*SECRETS.values(), *(needle for rule in RULES for needle in rule.needles), *NAMES, *VALUES, *AROUND]


@given(st.lists(st.sampled_from([*PARTS, *"aZ9_-.:=/ \"'é"]), max_size=9).map("".join))
def test_known_words_change_nothing_but_the_time(text):
    [words] = words_of_lines([text])
    assert redact(text, words) == redact(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_secret_after_its_name_is_found_where_the_words_are_known(name):
    [words] = words_of_lines([f"{name}=q7R2zT5wXn3mVb4K"])
    assert "q7R2" not in redact(f"{name}=q7R2zT5wXn3mVb4K", words)
