// A flood of one tenant, then a few missions of another one: what they wait.
export async function fairness(options, folder, report) {
  report.say("not there yet: the limits of the worker are not known");
}
