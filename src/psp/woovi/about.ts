import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { wooviSettings } from './settings.ts';

export const wooviAbout: ProviderAbout<keyof z.input<typeof wooviSettings>> = {
  displayName: 'Woovi',
  settings: {
    appId: {
      label: text('AppID', 'AppID'),
      help: text(
        'De uma API criada em API/Plugins, no painel da Woovi.',
        'Of an API created under API/Plugins in the Woovi panel.',
      ),
    },
    baseUrl: baseUrlText,
  },
};
