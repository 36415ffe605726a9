"""Parametric motions kept in a bank by name: examples by reference, registration, samples, settings."""

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.blend import (
    BlendSource,
    Registration,
    RegistrationOptions,
    SharedPlant,
    Spoiler,
    close_loop,
    find_cycles,
    one_body,
)
from motionary.errors import BankError, UsageError
from motionary.library import ExampleReference, changed_examples, clip_of_example, examples_of
from motionary.motion import Segment, frame_time_of
from motionary.parametric.example_sources import sources_of, web_edges
from motionary.parametric.measures import Parameter, given_numbers, measure_named
from motionary.parametric.parametric import ParametricMotion, make_parametric
from motionary.parametric.sampling import packed_samples, unpacked_samples
from motionary.parametric.steering import loop_source

VERSION = 3
SETTINGS = (*("measures", "given", "given_names", "options", "rate_hz", "n_draws", "seed", "cyclic", "drop_redundant"),)


@dataclass(frozen=True, eq=False)
class KeptParametric:
    """A parametric motion of a bank."""

    name: str
    motion: ParametricMotion
    examples: tuple[ExampleReference, ...]
    content: Mapping[str, Any]
    changed: tuple[str, ...] = ()  # examples whose clips have changed since: it was built again from what they are now

    @property
    def clip_ids(self) -> list[int]:
        return sorted({example.clip_id for example in self.examples})

    @property
    def settings(self) -> dict[str, Any]:
        """All that it takes to build it again, but its examples."""
        return {key: self.content[key] for key in SETTINGS}

    def as_json(self) -> dict[str, Any]:
        motion = self.motion
        low, high = motion.samples.values.min(axis=0), motion.samples.values.max(axis=0)
        return {
            "parametric": self.name,
            "measures": list(self.content["measures"]),
            "cyclic": motion.cyclic,
            "parameters": [
                {"name": p.name, "unit": p.unit, "least": round(float(a), 5), "greatest": round(float(b), 5)}
                for p, a, b in zip(motion.parameters, low, high, strict=True)
            ],
            "examples": [
                {"name": name, "values": [round(float(x), 5) for x in values]}
                for name, values in zip(motion.registration.names, motion.examples, strict=True)
            ],
            "left_out": [{"name": s.name, "why": s.why} for s in motion.registration.spoilers],
            "samples": len(motion.samples.values),
            "bytes": motion.samples.n_bytes,
            "uncovered_corners": [[round(float(x), 4) for x in corner] for corner in motion.uncovered_corners()],
            "changed": list(self.changed),
        }


def keep_parametric(
    bank: Bank,
    name: str,
    segments: Sequence[str | Segment] = (),
    measures: Sequence[str] = (),
    *,
    labels: Sequence[str] = (),
    mirror: bool = False,
    given: Mapping[str, Sequence[float] | float] | None = None,
    given_names: Sequence[str] = (),
    options: RegistrationOptions | None = None,
    rate_hz: float | None = None,
    n_draws: int = 1000,
    seed: int = 0,
    cyclic: bool = False,
    drop_redundant: bool = False,
    overwrite: bool = False,
) -> KeptParametric:
    """Make a parametric motion of segments and keep it in the bank by name.

    `measures` are texts such as `RightHand@apex` or `end`; `given` are values by example instead. `cyclic`: the best
    cycle of each segment is cut out and closed, so that the motion can go on for ever.
    """
    if name in bank.parametrics() and not overwrite:
        raise UsageError(f"there is a parametric motion {name!r} already; choose another name, or overwrite it")
    examples = examples_of(bank, segments, labels=labels, mirror=mirror)
    settings: dict[str, Any] = {
        "measures": list(measures),
        "given": None if given is None else {key: given_numbers(key, values).tolist() for key, values in given.items()},
        "given_names": list(given_names),
        "options": asdict(options or RegistrationOptions()),
        "rate_hz": rate_hz,
        "n_draws": n_draws,
        "seed": seed,
        "cyclic": cyclic,
        "drop_redundant": drop_redundant,
    }
    motion = built_parametric(bank, examples, settings)
    content = {
        "version": VERSION,
        "clip_ids": sorted({example.clip_id for example in examples}),
        "examples": [example.as_json() for example in examples],
        **settings,
        "built": _packed_motion(motion),
    }
    bank.keep_parametric(name, content, overwrite=overwrite)
    return KeptParametric(name, motion, tuple(examples), content)


def kept_parametric(bank: Bank, name: str) -> KeptParametric:
    """The parametric motion of that name. If an example's clip has changed since, it is built again, and says so.

    One that was kept by an earlier version is built again, too.
    """
    content = bank.parametric(name)
    version = int(content.get("version", 1))
    if version > VERSION:
        raise BankError(
            f"{bank.path}: the parametric motion {name!r} was made by a later version of Motionary; install it"
        )
    examples = [ExampleReference.from_json(one) for one in content["examples"]]
    changed = changed_examples(bank, examples)
    old = bool(changed) or version < VERSION
    motion = built_parametric(bank, examples, content) if old else _unpacked_motion(bank, examples, content)
    return KeptParametric(name, motion, tuple(examples), content, tuple(changed))


def rebuild_parametric(bank: Bank, name: str) -> KeptParametric:
    """Build a parametric motion again from its examples as they are now, and keep that."""
    content = bank.parametric(name)
    fresh = []
    for one in content["examples"]:
        example = ExampleReference.from_json(one)
        digest = bank.frames_digest(clip_of_example(bank, example)).hex()
        fresh.append(
            ExampleReference(example.clip_id, example.clip, example.start, example.stop, example.mirrored, digest)
        )
    motion = built_parametric(bank, fresh, content)
    built = {"version": VERSION, "examples": [e.as_json() for e in fresh], "built": _packed_motion(motion)}
    content = {**content, **built}
    bank.keep_parametric(name, content, overwrite=True)
    return KeptParametric(name, motion, tuple(fresh), content)


def built_parametric(bank: Bank, examples: Sequence[ExampleReference], settings: Mapping[str, Any]) -> ParametricMotion:
    """The parametric motion of examples as they are now, by the settings of a kept one."""
    options = RegistrationOptions(**settings["options"])
    sources = sources_of(bank, examples)
    if settings["cyclic"]:
        sources = [_loop_of(source) for source in sources]
    rng = np.random.default_rng(settings["seed"])
    motion = make_parametric(
        sources,
        [measure_named(text) for text in settings["measures"]],
        given=settings["given"],
        given_names=settings["given_names"],
        options=options,
        frame_time=None if settings["rate_hz"] is None else frame_time_of(settings["rate_hz"]),
        edges=None if settings["cyclic"] else web_edges(bank, examples, options),
        n_draws=settings["n_draws"],
        rng=rng,
        cyclic=settings["cyclic"],
    )
    return motion.without_redundant(rng=rng, n_draws=settings["n_draws"]) if settings["drop_redundant"] else motion


def _loop_of(source: BlendSource) -> BlendSource:
    """The best cycle of a source, closed."""
    cycles = find_cycles(source)
    if not cycles:
        raise UsageError(f"{source.name}: no cycle was found; name a segment with two or more steps of the same kind")
    best = min(cycles, key=lambda cycle: cycle.cost)
    return loop_source(source.name, close_loop(source, best), source)


def _packed(array: np.ndarray) -> dict[str, Any]:
    array = np.ascontiguousarray(array)
    data = base64.b64encode(zlib.compress(array.tobytes(), 6)).decode()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def _unpacked(content: Mapping[str, Any]) -> np.ndarray:
    data = zlib.decompress(base64.b64decode(content["data"]))
    return np.frombuffer(data, dtype=content["dtype"]).reshape(content["shape"]).copy()


def _packed_motion(motion: ParametricMotion) -> dict[str, Any]:
    registration = motion.registration
    return {
        "sources": list(registration.names),
        "reference": registration.reference,
        "facing": _packed(registration.reference_headings),
        "curves": _packed(registration.curves),
        "slopes": _packed(registration.slopes),
        "turns": _packed(registration.turns),
        "moves": _packed(registration.moves),
        "plants": [asdict(plant) for plant in registration.plants],
        "before": list(registration.before),
        "costs": registration.costs.tolist(),
        "spoilers": [asdict(spoiler) for spoiler in registration.spoilers],
        "clocks": [getattr(measure, "clock", None) for measure in motion.measures],
        "parameters": [asdict(parameter) for parameter in motion.parameters],
        "examples": motion.examples.tolist(),
        "samples": [_packed(array) for array in packed_samples(motion.samples)],
    }


def _unpacked_motion(bank: Bank, examples: Sequence[ExampleReference], content: Mapping[str, Any]) -> ParametricMotion:
    built = content["built"]
    by_name = {example.name: example for example in examples}
    sources = sources_of(bank, [by_name[name] for name in built["sources"]])
    if content["cyclic"]:
        sources = [_loop_of(source) for source in sources]
    first = sources_of(bank, examples[:1])[0]
    rate = content["rate_hz"]
    ready = one_body(
        sources,
        body=_loop_of(first) if content["cyclic"] else first,
        frame_time=first.motion.frame_time if rate is None else frame_time_of(rate),
    )
    registration = Registration(
        ready,
        built["reference"],
        _unpacked(built["curves"]),
        _unpacked(built["slopes"]),
        _unpacked(built["turns"]),
        _unpacked(built["moves"]),
        tuple(SharedPlant(**plant) for plant in built["plants"]),
        tuple(built["before"]),
        np.array(built["costs"]),
        tuple(() for _ in ready),
        tuple(Spoiler(**spoiler) for spoiler in built["spoilers"]),
        RegistrationOptions(**content["options"]),
        _unpacked(built["facing"]),
    )
    measures = []
    for text, clock in zip(content["measures"], built["clocks"], strict=True):
        measure = measure_named(text)
        measures.append(measure if clock is None else replace(measure, clock=clock))  # type: ignore[call-arg]
    parameters = tuple(Parameter(**parameter) for parameter in built["parameters"])
    scales = np.array([parameter.tolerance for parameter in parameters])
    turns = np.array([2.0 * np.pi if parameter.wraps else 0.0 for parameter in parameters])
    known = np.array(built["examples"])
    samples = unpacked_samples([_unpacked(array) for array in built["samples"]], known, scales, turns)
    given = known if content["given"] is not None else None
    return ParametricMotion(
        registration,
        tuple(measures),
        parameters,
        known,
        samples,
        given,
        content["cyclic"],
    )
