/** `npm run mutate`: would the tests notice if the code that guards money and access were wrong in some small way? */
import { readAccepted, survivorsOf } from './mutate/accepted.ts';
import type { Judged } from './mutate/mutant.ts';
import { help, type Options, optionsFrom } from './mutate/options.ts';
import { documentOf, reportOf, told } from './mutate/report.ts';
import { Judge } from './mutate/run-mutants.ts';
import { Sandbox } from './mutate/sandbox.ts';
import type { Subject } from './mutate/targets.ts';
import { runCommand } from './shared/usage.ts';

const accepted = readAccepted();

const showProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
};

const say = (line: string): void => {
  showProgress('');
  console.error(line);
};

/** Takes one file after another, as long as there are any. */
async function work(waiting: Subject[], judged: Judged[]): Promise<void> {
  const sandbox = new Sandbox();
  process.once('exit', () => sandbox.remove());
  for (let subject = waiting.shift(); subject; subject = waiting.shift()) {
    const { file } = subject;
    const start = performance.now();
    const found = await new Judge(sandbox, subject).judge((one, done, of) => {
      // At once: a long run need not be waited for.
      if (survivorsOf([one], accepted).open.length > 0) say(told(one));
      showProgress(`${file}: ${done} of ${of}`);
    });
    const killed = found.filter(({ verdict }) => verdict.kind === 'killed').length;
    say(`${file}: ${killed} of ${found.length} killed, ${Math.round((performance.now() - start) / 1000)} s`);
    judged.push(...found);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function run({ subjects, jobs, json }: Options): Promise<void> {
  const judged: Judged[] = [];
  const waiting = [...subjects];
  await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, () => work(waiting, judged)));
  const survivors = survivorsOf(judged, accepted);
  console.log(json ? JSON.stringify(documentOf(judged, survivors), null, 2) : reportOf(judged, survivors));
  if (survivors.open.length > 0) process.exitCode = 1;
}

await runCommand(help, () => optionsFrom(process.argv.slice(2)), run);
