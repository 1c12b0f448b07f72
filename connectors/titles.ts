/** The names of platforms, as people write them. Apart from the connectors, so that the console has them without their code. */
export const platformTitles = { woocommerce: 'WooCommerce', shopify: 'Shopify', stripe: 'Stripe', paddle: 'Paddle' } as const;

/** Where the signing secret of a connection comes from. */
export const secretHints: Record<keyof typeof platformTitles, string> = {
  woocommerce: 'Leave it empty: a new one is made, which you enter in WooCommerce.',
  shopify: 'Shopify shows it under Settings, Notifications, Webhooks. You can enter it later.',
  stripe: 'Stripe shows it beside the webhook, as the signing secret. You can enter it later.',
  paddle: 'Paddle shows it beside the destination, as the secret key. You can enter it later.',
};
