/** What was asked for makes no sense: the message says why, and the help is shown below it. */
export class UsageError extends Error {}

/** What `parseArgs` does not understand is a mistake of whoever typed it. */
export function withUsageError<Words>(read: () => Words): Words {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A script that takes options: shows its help, does its work, or says what is wrong with what it was asked. */
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
