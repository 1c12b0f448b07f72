import { buildWeb } from '../../scripts/build/web.ts';

let building: Promise<void> | undefined;

/** Builds the web pages from the current sources, for a service that runs from its sources. */
export const builtWeb = (): Promise<void> => {
  building ??= buildWeb('dist/web');
  return building;
};
