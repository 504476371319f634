"""Where the time goes."""

from torch.profiler import ProfilerActivity, profile


def profiled(run, device):
    """The profile of a function that is called once."""
    activities = [ProfilerActivity.CPU]
    if device.type == "cuda":
        activities.append(ProfilerActivity.CUDA)
    with profile(activities=activities) as found:
        run()
    return found


def busiest(found, device, rows=50):
    """A table of the operators that take longest."""
    column = "self_cuda_time_total" if device.type == "cuda" else "self_cpu_time_total"
    return found.key_averages().table(sort_by=column, row_limit=rows)
