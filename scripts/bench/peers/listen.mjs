/** Where every target is told to listen, and how it says that it does: as the service itself. */
export const port = Number(process.env.PORT ?? 0);
export const databaseFile = (process.env.DATABASE_URL ?? '').replace(/^sqlite:/, '');

export const sayListening = (address) => process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);
