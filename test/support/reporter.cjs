const { reporters, Runner } = require('mocha');

const path = require('node:path');

const { EVENT_RUN_BEGIN, EVENT_RUN_END, EVENT_TEST_END, EVENT_HOOK_END } = Runner.constants;

/** The longest time without output. */
const longestSilenceMs = 5000;

/** A slower file keeps a worker from others, and those who change it waiting. */
const slowFileSeconds = 10;

/** Mocha's spec report, with a progress line after 5 seconds without output, the slowest files, and a last line with the totals. */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // If a worker dies between two files, mocha ends with exit code 0 and no summary.
    const breakOff = () => {
      process.exitCode = 1;
      process.stdout.write('The run broke off: a worker died between two files. Its output is above.\n');
    };
    const progressTimer = this.printProgress(runner);
    const milliseconds = new Map();
    const add = ({ file, duration }) => file && milliseconds.set(file, (milliseconds.get(file) ?? 0) + (duration ?? 0));
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
    runner.once(EVENT_RUN_BEGIN, () => process.once('exit', breakOff));
    runner.once(EVENT_RUN_END, () => {
      process.removeListener('exit', breakOff);
      clearInterval(progressTimer);
      const { passes, failures, pending, duration } = this.stats;
      if (milliseconds.size > 1) this.printSlowest(milliseconds);
      process.stdout.write(`${Math.round(duration / 1000)} s in all.\n`);
      if (pending > 0) process.stdout.write(`${pending} skipped, with the reasons above.\n`);
      process.stdout.write(`${passes} passed, ${failures} failed\n`);
    });
  }

  printSlowest(milliseconds) {
    const slowest = [...milliseconds].sort(([, one], [, other]) => other - one).slice(0, 10);
    process.stdout.write('The slowest files:\n');
    for (const [file, ms] of slowest) {
      const seconds = ms / 1000;
      const warning = seconds > slowFileSeconds ? `  (warning: more than ${slowFileSeconds} s)` : '';
      process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${path.relative('.', file)}${warning}\n`);
    }
  }

  /** Workers report a file when it is finished, which can take half a minute. */
  printProgress(runner) {
    const began = performance.now();
    let lastOutputAt = began;
    runner.on(EVENT_TEST_END, () => (lastOutputAt = performance.now()));
    return setInterval(() => {
      if (performance.now() - lastOutputAt < longestSilenceMs) return;
      lastOutputAt = performance.now();
      const seconds = Math.round((lastOutputAt - began) / 1000);
      process.stdout.write(`  … still running after ${seconds} s; tests so far: ${this.stats.tests}\n`);
    }, 1000).unref();
  }
};
