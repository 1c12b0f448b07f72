import { iconShapes as sharedShapes } from '../shared/icons.ts';

/** The shared icons, and those that the reference page would load for nothing. */
export const iconShapes = {
  ...sharedShapes,
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5',
  shop: 'M4 9l1.5-5h13L20 9M4 9v11h16V9M4 9h16M10 20v-6h4v6',
  payouts: 'M3 7h18v11H3zM12 9.5a3 3 0 100 6 3 3 0 000-6z',
  clicks: 'M5 4l14 7-6 2-2 6z',
  account: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5',
  people:
    'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c0-3.5 3-5.5 6.5-5.5s6.5 2 6.5 5.5M16 4.5a3.5 3.5 0 010 6.5M18 15c2.2.6 3.5 2.3 3.5 5',
  coupon: 'M4 7h16v3.5a1.8 1.8 0 000 3.5V17H4v-3a1.8 1.8 0 000-3.5zM14 7v10',
  application: 'M7 3h7l4 4v14H7zM14 3v4h4M10 13l2 2 3.5-4',
  feed: 'M4 6h16M4 12h10M4 18h13',
  webhook: 'M9 15l6-6M8 8.5L5.5 11a3.5 3.5 0 005 5L13 13.5M11 10.5L13.5 8a3.5 3.5 0 015 5L16 15.5',
  risk: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  settings: 'M5 7h9M18 7h1M5 17h1M10 17h9M16 5v4M8 15v4M5 12h14',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3',
  signout: 'M14 4H6v16h8M10.5 12H21M17.5 8.5L21 12l-3.5 3.5',
} as const;

export type IconName = keyof typeof iconShapes;
