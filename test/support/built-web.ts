import { buildWeb } from '../../scripts/build/web.ts';

let building: Promise<void> | undefined;

/** What a service that runs from its sources gives to browsers, as the sources are now. */
export const builtWeb = (): Promise<void> => {
  building ??= buildWeb('dist/web');
  return building;
};
