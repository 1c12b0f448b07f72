const { reporters, Runner } = require('mocha');

const { EVENT_RUN_BEGIN, EVENT_RUN_END } = Runner.constants;

/** Mocha's own report, closed by the one plain line that people and scripts look for. */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // A worker that dies between two files is waited for in vain: mocha would end as if all were well, with nothing left to do.
    const breakOff = () => {
      process.exitCode = 1;
      process.stdout.write('The run broke off: a worker died between two files. What it said stands above.\n');
    };
    runner.once(EVENT_RUN_BEGIN, () => process.once('exit', breakOff));
    runner.once(EVENT_RUN_END, () => {
      process.removeListener('exit', breakOff);
      const { passes, failures, pending } = this.stats;
      if (pending > 0) process.stdout.write(`${pending} skipped, which say above what they lack here.\n`);
      process.stdout.write(`${passes} passed, ${failures} failed\n`);
    });
  }
};
