/** `npm run stories`: what people do with the program, told in openapi/workflows and tried on a live service. */
import { temporaryFolder } from '../test/support/postgres.ts';
import { runCommand } from './shared/usage.ts';
import { openStage } from './workflows/fixture.ts';
import { help, type Options, optionsFrom } from './workflows/options.ts';
import { leftOut, reportOf, verdictOf } from './workflows/report.ts';
import { type Scene, tell } from './workflows/run.ts';
import { allStories, type Story } from './workflows/workflow.ts';

const missingIn = ({ inputs }: Scene, { needs }: Story): string[] => needs.filter((input) => inputs[input] === undefined);

async function tellAt(scene: Scene, stories: readonly Story[]): Promise<void> {
  const possible = stories.filter((story) => missingIn(scene, story).length === 0);
  const told = possible.length > 0 ? await tell(possible, scene) : { passed: false, told: [], complaint: '' };
  console.log(reportOf(told));
  for (const story of stories.filter((one) => !possible.includes(one))) console.log(leftOut(story, missingIn(scene, story)));
  console.log(verdictOf(told));
  if (!told.passed) process.exitCode = 1;
}

async function tellHere(stories: readonly Story[]): Promise<void> {
  const stage = await openStage(`sqlite:${temporaryFolder('stories-')}/affiliate.sqlite`);
  try {
    await tellAt(stage, stories);
  } finally {
    await stage.close();
  }
}

const known = allStories();

const run = ({ names, scene }: Options): Promise<void> => {
  const stories = known.filter(({ name }) => names.length === 0 || names.includes(name));
  return scene ? tellAt(scene, stories) : tellHere(stories);
};

const names = known.map(({ name }) => name);
await runCommand(help, () => optionsFrom(process.argv.slice(2), names), run);
