import { buildWeb } from '../../scripts/build/web.ts';

/** Set for the workers of a run that has built the pages. */
const sharedPages = 'TEST_BUILT_WEB';

let building: Promise<void> | undefined;

/** Builds the web pages from the current sources, for a service that runs from its sources. */
export const builtWeb = (): Promise<void> => {
  building ??= process.env[sharedPages] ? Promise.resolve() : buildWeb('dist/web');
  return building;
};

/** Builds them for all processes that this one starts: two at once would write the same files while others read them. */
export async function shareBuiltWeb(): Promise<void> {
  await builtWeb();
  process.env[sharedPages] = 'yes';
}
