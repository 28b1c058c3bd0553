"""``crossbank score --goal``: the points that each measure lacks."""

from crossbank.workflow.commands.score_options import Addition, score_option


@score_option("--goal", metavar="POINTS", help="show how many points each measure lacks to a goal")
def points_to_goal(goal, scored, read_gold):
    """Return the difference of each measure from the goal, as text and as values."""
    lacking = {
        f"{counts.signature.metric} {measure.name}": float(goal) - 100 * counts.value(measure.name)
        for counts in scored
        for measure in counts.measures
    }
    text = "\n".join(f"{name} lacks {points:.2f} points" for name, points in lacking.items())
    return Addition(text, {"lacking": lacking})
