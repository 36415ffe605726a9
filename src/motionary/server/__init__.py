"""The studio's server: it answers the page's calls with what the same functions as the command line's give.

FastAPI and uvicorn come with `pip install motionary[studio]`; nothing outside this package imports them. A call goes
through `guard` (who may come in), then one function of the `*_calls` modules, which reads the request, calls one
function of another package with a bank of `open_banks`, and writes the answer. No algorithm lives here.
"""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.server.app import api_schema, build_app
    from motionary.server.page_files import page_is_built
    from motionary.server.serving import serve, studio_server
    from motionary.server.studio import Studio
else:
    import_on_use(__name__)

__all__ = ["Studio", "api_schema", "build_app", "page_is_built", "serve", "studio_server"]
