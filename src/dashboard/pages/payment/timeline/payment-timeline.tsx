import { Group, Text, ThemeIcon } from '@mantine/core';
import {
  BanknoteArrowUp,
  BanknoteX,
  CircleCheck,
  CircleX,
  CalendarClock,
  Clock,
  Copy,
  Pencil,
  Plus,
  Scale,
  Split,
  Undo2,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { DeliveryStatus } from '../../../parts/deliveries/delivery-status.tsx';
import { disputeStateTexts, eventTexts, reversalReasonTexts } from '../../../parts/event-texts.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { Investigation, PaymentDetail } from '../base/documents.ts';
import { ChangedTerms } from '../due/changed-terms.tsx';
import { type TimelineEvent, timelineEventsOf } from './timeline-events.ts';
import { RefundOrigin } from '../refunds/refund-origin.tsx';
import { RefundStatus } from '../refunds/refund-status.tsx';
import { SettleRefundButton } from '../refunds/settle-refund-button.tsx';
import classes from './timeline.module.css';
import { TimelineDelivery } from './timeline-delivery.tsx';
import { TimelineRouting } from './timeline-routing.tsx';
import { BorderedSection } from '../../../ui/page.tsx';

const messages = texts(
  {
    title: 'Histórico',
    created: 'Cobrança criada',
    routed: 'Provedor selecionado',
    notRouted: 'Nenhum provedor criou a cobrança',
    webhook: (event: string) => `Webhook: ${event}`,
    refund: (amount: string) => `Estorno de ${amount}`,
    defenceUntil: (instant: string) => `Defesa até ${instant}.`,
  },
  {
    title: 'Timeline',
    created: 'Payment created',
    routed: 'Provider selected',
    notRouted: 'No provider created the charge',
    webhook: (event: string) => `Webhook: ${event}`,
    refund: (amount: string) => `Refund of ${amount}`,
    defenceUntil: (instant: string) => `Defence until ${instant}.`,
  },
);

const eventIcons = {
  payment_updated: Pencil,
  payment_scheduled: CalendarClock,
  payment_debit_failed: CircleX,
  recurrence_activated: CircleCheck,
  recurrence_rejected: CircleX,
  recurrence_cancelled: CircleX,
  recurrence_expired: Clock,
  unmatched_pix_received: BanknoteX,
  payment_completed: CircleCheck,
  payment_overdue: CalendarClock,
  payment_expired: Clock,
  payment_cancelled: CircleX,
  payment_refunded: Undo2,
  payment_duplicated: Copy,
  refund_completed: Undo2,
  refund_failed: CircleX,
  payment_reversed: BanknoteX,
  payment_disputed: Scale,
  payment_dispute_deadline: Scale,
  payment_dispute_closed: Scale,
  // No payment has these; the type of an event does not say so.
  ops_alert_opened: Scale,
  ops_alert_closed: Scale,
} as const;

/** Shows what left the payment again, or is claimed. */
function TimelineClaim({ event: { reversal, dispute } }: { event: PaymentDetail['events'][number] }) {
  const text = useTexts(messages);
  const reasons = useTexts(reversalReasonTexts);
  const states = useTexts(disputeStateTexts);
  const formats = useFormats();
  const claim = reversal ?? dispute;
  if (!claim) return null;
  const about = reversal ? reasons[reversal.reason] : dispute && states[dispute.state];
  const deadline = dispute?.state === 'open' && dispute.defenceUntil;
  return (
    <Text size="sm">
      {formats.money(claim.amount)}, {about}
      {deadline && `. ${text.defenceUntil(formats.dateTime(deadline))}`}
    </Text>
  );
}

interface TimelineEntry {
  icon: typeof Plus;
  title: string;
  mark?: ReactNode;
  body?: ReactNode;
}

function useTimelineEntry({
  credentials,
  webhookEndpoints,
  detail: { refundRequests },
}: Investigation & { detail: PaymentDetail }): (event: TimelineEvent) => TimelineEntry {
  const text = useTexts(messages);
  const events = useTexts(eventTexts);
  const formats = useFormats();
  return (event) => {
    if (event.kind === 'created') return { icon: Plus, title: text.created };
    if (event.kind === 'event') {
      const { type, previous, data } = event.event;
      const body = previous ? (
        <ChangedTerms before={previous} now={data} />
      ) : (
        <TimelineClaim event={event.event} />
      );
      return { icon: eventIcons[type], title: events[type], body };
    }
    if (event.kind === 'routed') {
      const { attempts } = event;
      const wasCreated = attempts.some(({ result }) => result === 'created');
      return {
        icon: Split,
        title: wasCreated ? text.routed : text.notRouted,
        body: <TimelineRouting attempts={attempts} credentials={credentials} />,
      };
    }
    if (event.kind === 'refund') {
      const { refund } = event;
      return {
        icon: BanknoteArrowUp,
        title: text.refund(formats.money(refund.amount)),
        mark: <RefundStatus refund={refund} />,
        body: (
          <>
            <RefundOrigin
              refund={refund}
              request={refundRequests.find(({ refundId }) => refundId === refund.id)}
            />
            <SettleRefundButton refund={refund} />
          </>
        ),
      };
    }
    const { delivery } = event;
    const endpoint = webhookEndpoints.find(({ id }) => id === delivery.endpointId);
    const url = endpoint?.url ?? delivery.endpointId;
    const isEndpointEnabled = endpoint?.enabled ?? true;
    return {
      icon: Webhook,
      title: text.webhook(events[delivery.eventType]),
      mark: <DeliveryStatus delivery={delivery} isEndpointEnabled={isEndpointEnabled} />,
      body: <TimelineDelivery delivery={delivery} url={url} isEndpointEnabled={isEndpointEnabled} />,
    };
  };
}

export function PaymentTimeline({ detail, ...read }: { detail: PaymentDetail } & Investigation) {
  const text = useTexts(messages);
  const formats = useFormats();
  const entryOf = useTimelineEntry({ ...read, detail });
  const timelineEvents = timelineEventsOf(detail);
  return (
    <BorderedSection title={text.title}>
      <ol className={classes.timeline}>
        {timelineEvents.map((event) => {
          const { icon: Icon, title, mark, body } = entryOf(event);
          return (
            <li key={event.key}>
              <ThemeIcon variant="light" radius="xl" size={28} aria-hidden>
                <Icon size={16} />
              </ThemeIcon>
              <div className={classes.entry}>
                <Group gap="xs">
                  <Text fw={600}>{title}</Text>
                  {mark}
                </Group>
                <Text size="xs" c="dimmed" component="time" dateTime={event.at}>
                  {formats.exactTime(event.at)}
                </Text>
                {body}
              </div>
            </li>
          );
        })}
      </ol>
    </BorderedSection>
  );
}
