"""A provider that this project did not write: Django with django-oauth-toolkit, on loopback, in one file.

Usage: provider.py FOLDER PORT. Prints one line, `ready ISSUER`, once it answers. Issuer is http://127.0.0.1:PORT/o, so
it has a path; ann signs in with the password correct-horse.
"""

import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

folder, port = Path(sys.argv[1]), int(sys.argv[2])
issuer = f"http://127.0.0.1:{port}/o"


def signing_key() -> str:
    """A new RSA key in PEM, kept for the next start."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    path = folder / "key.pem"
    if not path.exists():
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(pem)
    return path.read_text()


settings.configure(
    DEBUG=True,
    SECRET_KEY="a-provider-for-tests-on-loopback-only-0123456789",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="provider",
    USE_TZ=True,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                ],
                "loaders": [
                    (
                        "django.template.loaders.locmem.Loader",
                        {
                            "registration/login.html": "<h1>Log in</h1><form method=post>{% csrf_token %}"
                            "{{ form.as_p }}<button>Log in</button></form>"
                        },
                    ),
                    "django.template.loaders.app_directories.Loader",
                ],
            },
        }
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "provider.sqlite3")}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    LOGIN_URL="/accounts/login/",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": signing_key(),
        "OIDC_ISS_ENDPOINT": issuer,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        "PKCE_REQUIRED": True,
        "AUTHORIZATION_CODE_EXPIRE_SECONDS": 600,
        "ROTATE_REFRESH_TOKEN": True,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https"],
        "SCOPES": {"openid": "Sign in", "profile": "Profile", "email": "Mail", "offline_access": "Stay signed in"},
        "DEFAULT_SCOPES": ["openid"],
        "OAUTH2_VALIDATOR_CLASS": "provider.Validator",
    },
)

# The settings name this file as a module.
sys.modules["provider"] = sys.modules["__main__"]
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider import urls as provider_urls  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402


class Validator(OAuth2Validator):
    """Claims that an application sees."""

    oidc_claim_scope = None

    def get_additional_claims(self):
        return {"email": lambda request: request.user.email, "name": lambda request: request.user.get_full_name()}


urlpatterns = [
    path("accounts/login/", LoginView.as_view()),
    path("", include((provider_urls.metadata_urlpatterns, "metadata"))),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]


def enter() -> None:
    """Makes the person and the applications, once."""
    user, made = get_user_model().objects.get_or_create(
        username="ann", defaults={"email": "ann@provider.example", "first_name": "Ann", "last_name": "Lee"}
    )
    if made:
        user.set_password("correct-horse")
        user.save()
    application = get_application_model()
    for client, redirect in (("native", "http://127.0.0.1/callback"), ("fixed", "http://127.0.0.1:8400/callback")):
        application.objects.update_or_create(
            client_id=client,
            defaults={
                "name": "FlowRecorder",
                "client_type": "public",
                "authorization_grant_type": "authorization-code",
                "redirect_uris": redirect,
                "post_logout_redirect_uris": "http://127.0.0.1/bye http://127.0.0.1/callback http://127.0.0.1:8400/callback",
                "algorithm": "RS256",
            },
        )
    application.objects.update_or_create(
        client_id="terminal",
        defaults={
            "name": "FlowRecorder",
            "client_type": "public",
            "authorization_grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "algorithm": "RS256",
        },
    )


def main() -> None:
    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

    from django.core.wsgi import get_wsgi_application

    class Server(ThreadingMixIn, WSGIServer):
        """A browser holds connections open that it does not use; the others must not wait for them."""

        daemon_threads = True

    class Quiet(WSGIRequestHandler):
        def log_message(self, format, *arguments):
            # The path only: queries hold codes.
            print(self.command, self.path.split("?")[0], arguments[1], flush=True)

    call_command("migrate", verbosity=0, interactive=False)
    enter()
    server = make_server("127.0.0.1", port, get_wsgi_application(), Server, Quiet)
    print(f"ready {issuer}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
