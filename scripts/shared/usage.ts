/** The command line is wrong: the message says why, and the help is printed below it. */
export class UsageError extends Error {}

/** A script with options: prints its help, does its work, or explains a UsageError above the help. */
export async function runCommand<Options>(
  help: string,
  readOptions: () => Options | 'help' | Promise<Options | 'help'>,
  run: (options: Options) => Promise<void>,
): Promise<void> {
  try {
    const options = await readOptions();
    if (options === 'help') console.log(help);
    else await run(options as Options);
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${help}` : error);
    process.exitCode = 1;
  }
}

/** A script without options: a failure is printed as its message, without a stack, and sets the exit code. */
export async function runScript(run: () => Promise<void>): Promise<void> {
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

/** Overwrites the progress line on a terminal; an empty text clears it. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
