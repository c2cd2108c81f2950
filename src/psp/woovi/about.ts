import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { wooviSettings } from './settings.ts';

export const wooviAbout: ProviderAbout<keyof z.input<typeof wooviSettings>> = {
  displayName: 'Woovi',
  settings: {
    appId: { label: text('AppID', 'AppID') },
    baseUrl: baseUrlText,
  },
};
