import { freshDatabase } from '../../support/database.ts';
import { testPaymentPlans } from '../../support/payment-plans.ts';

testPaymentPlans(freshDatabase);
