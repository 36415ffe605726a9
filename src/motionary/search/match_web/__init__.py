"""Match webs: all that is alike in a library, found once, so that logically similar motions can be found in steps."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.search.match_web.alike_segments import AlikeSegments, alike_segments
    from motionary.search.match_web.answers import WebQuery, WebSearchResult
    from motionary.search.match_web.match_graph import MatchGraph
    from motionary.search.match_web.merging import Merging
    from motionary.search.match_web.pieces import Piece
    from motionary.search.match_web.searcher import Searcher
    from motionary.search.match_web.settings import WebSettings
    from motionary.search.match_web.web import MatchWeb
    from motionary.search.match_web.web_search import search_web
    from motionary.search.match_web.webs import build_web, opened_web, remove_webs, web_facts
else:
    import_on_use(__name__)

__all__ = [
    "AlikeSegments",
    "MatchGraph",
    "MatchWeb",
    "Merging",
    "Piece",
    "Searcher",
    "WebQuery",
    "WebSearchResult",
    "WebSettings",
    "alike_segments",
    "build_web",
    "opened_web",
    "remove_webs",
    "search_web",
    "web_facts",
]
