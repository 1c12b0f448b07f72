import type { StorePlatform } from '../domain/store/connection.ts';

/** The names of platforms, as people write them. Apart from the connectors, so that the console has them without their code. */
export const platformTitles: Readonly<Record<StorePlatform, string>> = { woocommerce: 'WooCommerce', shopify: 'Shopify' };
