import { contractRule, isError } from '../contract.mjs';

// Without errors: their shared responses declare what the server still sets when it fails in that way.
export default contractRule(({ operations }, report) => {
  const answers = operations.flatMap(({ name, responses }) =>
    responses.entries.filter(([status]) => !isError(status)).map(([status, response]) => ({ title: `${status} of \`${name}\``, response })),
  );
  for (const header of usualHeaders(answers)) {
    const remedy = `Add \`${header}: { $ref: ../components/headers/${header}.yaml }\` to it.`;
    for (const { title, response } of answers.filter((answer) => !answer.response.get('headers').has(header))) {
      report(response, `The ${title} lacks the header ${header}, which the server sets on every success. ${remedy}`);
    }
  }
});

/** A header that most successes declare is set on all of them: one without it is the mistake. */
function usualHeaders(answers) {
  const uses = {};
  for (const [name, header] of answers.flatMap(({ response }) => response.get('headers').entries)) {
    if (header.get('x-set-by').value === 'server') uses[name] = (uses[name] ?? 0) + 1;
  }
  return Object.keys(uses).filter((name) => uses[name] > answers.length / 2);
}
