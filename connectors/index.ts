import type { StorePlatform } from '../domain/store/connection.ts';
import type { Connector } from './connector.ts';
import { paddle } from './paddle.ts';
import { shopify } from './shopify.ts';
import { stripe } from './stripe.ts';
import { woocommerce } from './woocommerce.ts';

/** Every store platform, by the name that `affiliate store connect` takes and the database stores. */
const connectors = { woocommerce, shopify, stripe, paddle } satisfies Record<StorePlatform, Connector>;

export type Platform = keyof typeof connectors;

export const platforms = Object.keys(connectors) as [Platform, ...Platform[]];

export const allConnectors: readonly Connector[] = Object.values(connectors);

export function getConnector(platform: string): Connector {
  if (!Object.hasOwn(connectors, platform)) throw new Error(`There is no connector for the platform ${platform}.`);
  return connectors[platform as Platform];
}

export const pullingConnectors = allConnectors.filter((connector) => connector.pull !== null);

/** For texts. */
export const pullPlatforms = pullingConnectors.map(({ title }) => title).join(' or ');
