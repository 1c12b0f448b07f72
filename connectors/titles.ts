/** The names of platforms, as people write them. Apart from the connectors, so that the console has them without their code. */
export const platformTitles = { woocommerce: 'WooCommerce', shopify: 'Shopify' } as const;
