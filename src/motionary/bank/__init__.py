"""The bank: one SQLite file with clips, skeletons, labels and every earlier version of what was changed."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.bank.addresses import LABEL_SIGN, SELECTION_SIGN, Address, parse_address, parse_ranks
    from motionary.bank.bank import Bank, check_is_bank, derived_path
    from motionary.bank.changes import Change
    from motionary.bank.checking import check_bank
    from motionary.bank.clip_choice import chosen_clips, why_none
    from motionary.bank.clips import Clip, Label
    from motionary.bank.edits import EditRow, frames_of_row, pack_motion, row_on_frames
    from motionary.bank.exporting import Exported, ExportOptions, export
    from motionary.bank.import_reading import ImportOptions
    from motionary.bank.importing import ImportReport, import_motions
    from motionary.bank.label_files import LabelReport, LabelTable, label_from_table, read_labels
    from motionary.bank.library import AnyClip, AnySegment
    from motionary.bank.provenance import Verdict
    from motionary.bank.selections import Selection
    from motionary.bank.sources import not_read
    from motionary.bank.spread_labels import SpreadLabel
    from motionary.bank.storage import PackedRecording, unpack
else:
    import_on_use(__name__)

__all__ = [
    "LABEL_SIGN",
    "SELECTION_SIGN",
    "Address",
    "AnyClip",
    "AnySegment",
    "Bank",
    "Change",
    "Clip",
    "EditRow",
    "ExportOptions",
    "Exported",
    "ImportOptions",
    "ImportReport",
    "Label",
    "LabelReport",
    "LabelTable",
    "PackedRecording",
    "Selection",
    "SpreadLabel",
    "Verdict",
    "check_bank",
    "check_is_bank",
    "chosen_clips",
    "derived_path",
    "export",
    "frames_of_row",
    "import_motions",
    "label_from_table",
    "not_read",
    "pack_motion",
    "parse_address",
    "parse_ranks",
    "read_labels",
    "row_on_frames",
    "unpack",
    "why_none",
]
