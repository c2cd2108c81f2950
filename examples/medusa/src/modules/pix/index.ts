import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PixProvider } from './service';

export default ModuleProvider(Modules.PAYMENT, { services: [PixProvider] });
