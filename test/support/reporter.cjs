const { reporters, Runner } = require('mocha');

const { EVENT_RUN_BEGIN, EVENT_RUN_END, EVENT_TEST_END } = Runner.constants;

/** The longest time without output. */
const longestSilenceMs = 5000;

/** Mocha's own report, with a word while it has nothing to say, and closed by the one plain line that people and scripts look for. */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // A worker that dies between two files is waited for in vain: mocha would end as if all were well, with nothing left to do.
    const breakOff = () => {
      process.exitCode = 1;
      process.stdout.write('The run broke off: a worker died between two files. What it said stands above.\n');
    };
    const company = this.keepCompany(runner);
    runner.once(EVENT_RUN_BEGIN, () => process.once('exit', breakOff));
    runner.once(EVENT_RUN_END, () => {
      process.removeListener('exit', breakOff);
      clearInterval(company);
      const { passes, failures, pending } = this.stats;
      if (pending > 0) process.stdout.write(`${pending} skipped, which say above what they lack here.\n`);
      process.stdout.write(`${passes} passed, ${failures} failed\n`);
    });
  }

  /** Processes tell of a file once it is over, which can take half a minute. */
  keepCompany(runner) {
    const began = performance.now();
    let lastNews = began;
    runner.on(EVENT_TEST_END, () => (lastNews = performance.now()));
    return setInterval(() => {
      if (performance.now() - lastNews < longestSilenceMs) return;
      lastNews = performance.now();
      const seconds = Math.round((lastNews - began) / 1000);
      process.stdout.write(`  … still running after ${seconds} s; tests so far: ${this.stats.tests}\n`);
    }, 1000).unref();
  }
};
