"""What can be asked of a search: one request for each method, and the registry of methods.

These modules are cheap to import: command lines read them to know their options.
"""

from motionary.search.requests.exact import ExactOptions, ExactRequest
from motionary.search.requests.methods import METHODS
from motionary.search.requests.search_request import SearchRequest
from motionary.search.requests.web import WebRequest
from motionary.search.requests.wpca import PoseOptions, PoseRequest

__all__ = [
    "METHODS",
    "ExactOptions",
    "ExactRequest",
    "PoseOptions",
    "PoseRequest",
    "SearchRequest",
    "WebRequest",
]
