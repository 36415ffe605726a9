"""The API does what its schema says, whatever is sent: no answer is a crash, none has another shape."""

import pytest

schemathesis = pytest.importorskip("schemathesis")
conformance = pytest.importorskip("schemathesis.specs.openapi.checks")

from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402

from server.conftest import TOKEN  # noqa: E402

pytestmark = pytest.mark.thorough
STREAM = "/api/events"  # never ends


@pytest.fixture(scope="module")
def api(studio):
    from motionary.server import Studio, api_schema

    described = Studio(studio.path)
    try:
        loaded = schemathesis.openapi.from_dict(api_schema(described))
    finally:
        described.close()
    loaded.config.update(base_url=studio.origin)
    loaded.config.update(headers={"Authorization": f"Bearer {TOKEN}", "Sec-Fetch-Site": "same-origin"})
    return loaded.exclude(path=STREAM)


EXAMPLES = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
CHECKS = [
    schemathesis.checks.not_a_server_error,
    conformance.status_code_conformance,
    conformance.content_type_conformance,
    conformance.response_headers_conformance,
    conformance.response_schema_conformance,
]


def test_every_call_answers_as_its_schema_says(api):
    wrong = {}
    for found in api.get_all_operations():
        operation = found.ok()

        @EXAMPLES
        @given(case=operation.as_strategy())
        def answers(case):
            case.call_and_validate(checks=CHECKS)

        try:
            answers()
        except (Exception, BaseExceptionGroup) as error:  # of all calls, so that one run tells of all
            wrong[operation.label] = error
    assert not wrong, "\n\n".join(f"{label}: {error}" for label, error in wrong.items())
