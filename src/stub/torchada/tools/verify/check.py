"""Checks one operator with one dtype: the device's results and gradients against the CPU's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from . import compare, distribution, errors, known, samples, speed
from .outcome import Finding, Outcome
from .settings import DeviceLost, NoReference, Settings

#: Tells the parent process what is being done, for the case that this process dies or hangs.
Note = Callable[[str, str], None]


#: The message about a result that should be a view and is a copy.
COPIED = "the result is a copy, the CPU's is a view"


class Check:
    """One operator with one dtype."""

    def __init__(self, operator: Any, dtype: torch.dtype, settings: Settings, note: Note) -> None:
        self.operator = operator
        self.dtype = dtype
        self.settings = settings
        self.note = note
        self.outcome = Outcome(operator.full_name, str(dtype).split(".")[-1])
        self.allowed = compare.tolerance(operator, settings.device)
        self.reason = errors.left_out(operator, dtype)
        self.native = dtype in operator.supported_dtypes("cpu")
        self.gradient = (
            settings.backward
            and operator.supports_autograd
            and (dtype.is_floating_point or dtype.is_complex)
            and dtype in operator.supported_backward_dtypes("cuda")
        )
        self.seed = samples.seed_for(settings.seed, operator.full_name, dtype)

    def run(self) -> Outcome:
        """Try every sample."""
        started = time.perf_counter()
        self.note("samples", "")
        try:
            made = samples.make(self.operator, self.dtype, self.gradient, self.settings.samples, self.seed)
        except Exception as error:
            self.outcome.leave(f"no samples: {errors.first_line(error)}")
            made = []
        for sample in made:
            self.outcome.samples += 1
            self._sample(sample)
        self.outcome.conclude()
        if self.settings.timing and self.native and self.outcome.verdict == "right" and made:
            self._time(max(made, key=samples.elements))
        self.outcome.seconds = round(time.perf_counter() - started, 3)
        return self.outcome

    # ---- one sample

    def _sample(self, sample: Any) -> None:
        arguments = samples.say(sample)
        there = self._on_device(sample, arguments)
        if there is None:
            return
        good = self._phase("forward", arguments, sample, there, self._forward)
        if good and self.gradient and samples.inputs(sample):
            self._phase("backward", arguments, sample, there, self._backward)
        if good and self.settings.inplace and self._has_inplace(sample):
            self._phase("in place", arguments, sample, there, self._in_place)

    def _on_device(self, sample: Any, arguments: str) -> Any:
        self.note("forward", arguments)
        try:
            return self._copy(sample)
        except Exception as error:
            self._blame(error, "forward", arguments)
            return None

    def _copy(self, sample: Any) -> Any:
        """The sample for the device."""
        return self._copy_to(self.settings.device, sample)

    def _copy_to(self, device: str, sample: Any) -> Any:
        return samples.copy(sample, device, on_cpu=known.ON_CPU.get(self.operator.name, ()))

    def _forward(self, sample: Any) -> list[Any]:
        with torch.no_grad():
            return compare.results(self._call(sample))

    def _call(self, sample: Any) -> Any:
        return sample.output_process_fn_grad(self.operator.op(sample.input, *sample.args, **sample.kwargs))

    def _backward(self, sample: Any) -> list[Any]:
        """The gradient of each input that wants one."""
        results = [
            each
            for each in compare.results(self._call(sample))
            if isinstance(each, torch.Tensor) and each.requires_grad
        ]
        wanted = samples.inputs(sample)
        if not results:
            raise NoReference("no result has a gradient")
        made = torch.Generator().manual_seed(self.seed)
        flow = []
        for each in results:
            # in double precision, so that every dtype gets the same numbers
            numbers = torch.randn(each.shape, dtype=torch.float64, generator=made)
            flow.append(numbers.to(each.dtype).to(each.device))
        found = torch.autograd.grad(results, wanted, flow, allow_unused=True)
        return [torch.zeros_like(each) if grad is None else grad for grad, each in zip(found, wanted)]

    def _in_place(self, sample: Any) -> list[Any]:
        with torch.no_grad():
            target = sample.input.detach().clone()
            result = self.operator.inplace_variant(target, *sample.args, **sample.kwargs)
        return [sample.output_process_fn_grad(result), target]

    def _has_inplace(self, sample: Any) -> bool:
        return (
            self.native
            and self.operator.inplace_variant is not None
            and isinstance(sample.input, torch.Tensor)
            and not sample.broadcasts_input
        )

    # ---- comparing

    def _phase(self, phase: str, arguments: str, here: Any, there: Any, run: Callable[[Any], list[Any]]) -> bool:
        """Run both and compare; whether what comes after it is worth trying."""
        self.note(f"{phase} on the CPU", arguments)
        expected, reason, views = self._reference(here, run)
        if expected is None:
            if phase == "forward":
                self.outcome.leave(reason)
            return False
        self.note(phase, arguments)
        samples.seed_all(self.seed)
        try:
            raw = run(there)
            copied = phase == "forward" and self._is_copied(raw, there, views)
            found = compare.on_cpu(raw)
        except NoReference:
            return False
        except Exception as error:
            self._blame(error, phase, arguments)
            return False
        if copied:
            self.outcome.add(Finding("wrong", phase, COPIED, f"{COPIED}: what is written to it is lost", arguments))
        self._judge(phase, arguments, (here, there), run, (raw, found, expected))
        return True

    @staticmethod
    def _is_copied(raw: list[Any], there: Any, views: list[bool]) -> bool:
        """Whether a result is a copy where the CPU's is a view."""
        return any(view and not ours for view, ours in zip(views, compare.shared(raw, there)))

    def _reference(self, here: Any, run: Callable[[Any], list[Any]]) -> tuple[list[Any] | None, str, list[bool]]:
        """The CPU's results, or the exact ones where the CPU does not have this dtype; why there are none; views."""
        samples.seed_all(self.seed)
        try:
            sample = samples.copy(here, "cpu", wider=not self.native)
            results = run(sample)
            return results, "", compare.views(results, sample) if run == self._forward else []
        except NoReference as error:
            return None, str(error), []
        except Exception as error:
            if self.native and run == self._backward:
                return self._exact(here, run), "", []
            return None, f"the CPU raises: {errors.first_line(error)}", []

    def _exact(self, here: Any, run: Callable[[Any], list[Any]]) -> list[Any] | None:
        samples.seed_all(self.seed)
        try:
            return run(samples.copy(here, "cpu", wider=True))
        except Exception:
            return None

    def _judge(
        self,
        phase: str,
        arguments: str,
        both: tuple[Any, Any],
        run: Callable[[Any], list[Any]],
        results: tuple[list[Any], list[Any], list[Any]],
    ) -> None:
        raw, found, expected = results
        wider = known.STATISTICS.get(self.operator.name, ()) if phase == "forward" else ()
        # What is made of numbers alone is made on the CPU.
        device = self.settings.device if samples.elements(both[1]) else ""
        text = compare.structure(raw, expected, device, same_dtype=self.native, wider=wider)
        if text:
            self.outcome.add(Finding("wrong", phase, f"{phase}: {_kind(text)}", text, arguments))
            return
        difference = compare.values(found, expected, self.allowed)
        if difference.units <= 1.0:
            self._good(phase, difference)
            return
        if phase != "backward" and self.operator.name in known.UNINITIALISED:
            self.outcome.leave("uninitialised memory")
            return
        if self._is_random(both[0], run, expected):
            self._random(phase, arguments, both, run)
            return
        exact = self._exact(both[0], run) if self.native and self.dtype in samples.WIDER else None
        if exact is not None and not compare.structure(exact, expected, "", same_dtype=False):
            better = compare.values(found, exact, self.allowed)
            if better.units > 1.0:
                if compare.values(expected, exact, self.allowed).units > compare.NO_REFERENCE:
                    self.outcome.leave("the CPU's own result is far from the exact one")
                    return
                better = compare.values(found, expected, self.allowed, exact)
            if better.units <= 1.0:
                self._good(phase, better)
                return
        if self.reason:
            self.outcome.leave(self.reason)
            return
        self.outcome.worst = max(self.outcome.worst, difference.units)
        self.outcome.add(Finding("wrong", phase, f"{phase}: other values", difference.text, arguments))

    def _good(self, phase: str, difference: compare.Difference) -> None:
        self.outcome.compared[phase] = self.outcome.compared.get(phase, 0) + 1
        self.outcome.worst = max(self.outcome.worst, difference.units)

    def _is_random(self, here: Any, run: Callable[[Any], list[Any]], expected: list[Any]) -> bool:
        """Whether the CPU's own result is another one with another seed."""
        samples.seed_all(self.seed + 1)
        try:
            other = run(samples.copy(here, "cpu", wider=not self.native))
        except Exception:
            return False
        return compare.values(other, expected, self.allowed).units > 1.0

    def _random(self, phase: str, arguments: str, both: tuple[Any, Any], run: Callable[[Any], list[Any]]) -> None:
        """Compare how often which values come, since which come can't be the same."""
        if phase == "backward":
            self.outcome.leave("gradients of random results")
            return

        def draws(copy: Callable[[Any], Any]) -> Callable[[int], list[Any]]:
            def draw(seed: int) -> list[Any]:
                samples.seed_all(self.seed + seed)
                return compare.on_cpu(run(copy(both[0])))

            return draw

        def on_cpu(sample: Any) -> Any:
            return samples.copy(sample, "cpu", wider=not self.native)

        try:
            text = distribution.difference(draws(self._copy), draws(on_cpu))
        except Exception as error:
            self._blame(error, phase, arguments)
            return
        self.outcome.random += 1
        if text:
            self.outcome.add(Finding("wrong", phase, f"{phase}: another distribution", text, arguments))

    def _blame(self, error: Exception, phase: str, arguments: str) -> None:
        verdict, cause = errors.classify(error)
        self.outcome.add(Finding(verdict, phase, cause, errors.several_lines(error), arguments))
        if verdict == "crash":
            raise DeviceLost from error

    def _time(self, sample: Any) -> None:
        self.note("timing", samples.say(sample))
        try:
            with torch.no_grad():
                copy = lambda device: self._copy_to(device, sample)  # noqa: E731
                device, cpu = speed.both(self.operator.op, copy, self.settings.device)
        except Exception as error:
            self.outcome.leave(f"no time: {errors.first_line(error)}")
            return
        self.outcome.device_ns, self.outcome.cpu_ns = round(device), round(cpu)
        self.outcome.slower = speed.is_slower(device, cpu, self.settings.slower_ms * 1e6)


def _kind(text: str) -> str:
    """What a difference of structure is about: its first word, without which result it is."""
    return "other " + text.split(": ")[-1].split(" ")[0] if "," in text else text
