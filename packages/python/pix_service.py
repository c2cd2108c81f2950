"""Client of the PIX payment service: one module without dependencies, for Python 3.9 or newer.

Amounts are in BRL: send int, float or Decimal with at most two decimals; what is returned is an int or a Decimal.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import re
import time
import uuid
from contextlib import contextmanager
from decimal import Decimal
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypedDict,
    Union,
)
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import HTTPRedirectHandler, Request, build_opener

__all__ = [
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailed",
    "InvalidRequestError",
    "NotFoundError",
    "PermissionDenied",
    "Pix",
    "PixError",
    "RateLimitError",
    "ServiceError",
    "WebhookVerificationError",
    "verify_webhook",
]

# Generated from the OpenAPI document.


class _Address(TypedDict):
    street: str
    number: str
    city: str
    state: str
    postalCode: str


class Address(_Address, total=False):
    complement: str
    district: str


class _Payer(TypedDict):
    pass


class Payer(_Payer, total=False):
    name: str
    document: str
    email: str
    phone: str
    address: Address


class _Fine(TypedDict):
    pass


class Fine(_Fine, total=False):
    percent: Amount
    amount: Amount


class _Interest(TypedDict):
    pass


class Interest(_Interest, total=False):
    percentPerDay: Amount
    percentPerMonth: Amount
    percentPerYear: Amount
    amountPerDay: Amount
    businessDays: bool


class _Discounts(TypedDict):
    until: str


class Discounts(_Discounts, total=False):
    percent: Amount
    amount: Amount


class _EarlyDiscount(TypedDict):
    pass


class EarlyDiscount(_EarlyDiscount, total=False):
    percentPerDay: Amount
    amountPerDay: Amount
    businessDays: bool


class _Rebate(TypedDict):
    pass


class Rebate(_Rebate, total=False):
    percent: Amount
    amount: Amount


class _Due(TypedDict):
    date: str


class Due(_Due, total=False):
    payableDaysAfter: int
    fine: Fine
    interest: Interest
    discounts: List[Discounts]
    earlyDiscount: EarlyDiscount
    rebate: Rebate


class _CreatePayment(TypedDict):
    amount: Amount


class CreatePayment(_CreatePayment, total=False):
    credentialId: str
    ruleSetId: str
    description: str
    externalId: str
    fiscalDocument: str
    payer: Payer
    expirationMinutes: Amount
    metadata: Dict[str, Any]
    returnUrl: str
    due: Due


class _UpdatePayment(TypedDict):
    pass


class UpdatePayment(_UpdatePayment, total=False):
    revision: int
    amount: Amount
    due: Due
    description: str
    metadata: Dict[str, Any]


class _CreatePaymentBatch(TypedDict):
    pass


class CreatePaymentBatch(_CreatePaymentBatch, total=False):
    payments: List[CreatePayment]
    payment: CreatePayment
    instalments: int
    every: Literal["month", "week"]


class _DueInterest(TypedDict):
    businessDays: bool


class DueInterest(_DueInterest, total=False):
    percentPerDay: Amount
    percentPerMonth: Amount
    percentPerYear: Amount
    amountPerDay: Amount


class _DueEarlyDiscount(TypedDict):
    businessDays: bool


class DueEarlyDiscount(_DueEarlyDiscount, total=False):
    percentPerDay: Amount
    amountPerDay: Amount


class _Next(TypedDict):
    until: str
    amount: Amount


class Next(_Next, total=False):
    pass


class _PaymentDue(TypedDict):
    date: str
    payableDaysAfter: int
    adjustedDate: str
    lastPayableOn: str


class PaymentDue(_PaymentDue, total=False):
    fine: Fine
    interest: DueInterest
    discounts: List[Discounts]
    earlyDiscount: DueEarlyDiscount
    rebate: Rebate
    amountToday: Amount
    next: Next


class _Attempts(TypedDict):
    on: str
    state: Literal["requested", "scheduled", "paid", "rejected", "expired", "cancelled"]


class Attempts(_Attempts, total=False):
    reason: Literal["limit", "no_balance", "mandate_ended", "payer_data", "account", "our_fault", "operational", "already_paid", "unknown"]
    providerCode: str
    endToEndId: str


class _Debit(TypedDict):
    state: Literal["scheduled", "retrying", "failed"]
    attempts: List[Attempts]


class Debit(_Debit, total=False):
    reason: Literal["limit", "no_balance", "mandate_ended", "payer_data", "account", "our_fault", "operational", "already_paid", "unknown"]
    retryOn: str


class _AmountParts(TypedDict):
    original: Amount
    rebate: Amount
    discount: Amount
    fine: Amount
    interest: Amount


class AmountParts(_AmountParts, total=False):
    computed: Literal[True]


class _PayerAddress(TypedDict):
    street: str
    number: str
    city: str
    state: str
    postalCode: str


class PayerAddress(_PayerAddress, total=False):
    complement: str
    district: str


class _Institution(TypedDict):
    ispb: str


class Institution(_Institution, total=False):
    name: str


class _PaidBy(TypedDict):
    pass


class PaidBy(_PaidBy, total=False):
    name: str
    documentMasked: str
    institution: Institution
    message: str


class _Payment(TypedDict):
    id: str
    amount: Amount
    currency: Literal["BRL"]
    status: Literal["pending", "completed", "expired", "cancelled", "refunded", "failed"]
    provider: str
    createdAt: str
    expiresAt: str
    isTest: bool


class Payment(_Payment, total=False):
    description: str
    externalId: str
    fiscalDocument: str
    pixCopyPaste: str
    pixQrCodeBase64: str
    txid: str
    confirmedAt: str
    cancelledAt: str
    endToEndId: str
    amountRefunded: Amount
    amountReversed: Amount
    due: PaymentDue
    revision: int
    overdue: Literal[True]
    recurrenceId: str
    dueDate: str
    debit: Debit
    amountPaid: Amount
    amountParts: AmountParts
    disputed: Literal[True]
    checkoutUrl: str
    payerName: str
    payerDocument: str
    payerEmail: str
    payerAddress: PayerAddress
    paidBy: PaidBy
    payerMatches: bool
    metadata: Dict[str, Any]


class _PaymentBatch(TypedDict):
    id: str
    state: Literal["processing", "completed"]
    count: int
    created: int
    failed: int
    createdAt: str


class PaymentBatch(_PaymentBatch, total=False):
    every: Literal["month", "week"]


class _Problems(TypedDict):
    path: str
    rule: str
    params: Dict[str, Any]


class Problems(_Problems, total=False):
    pass


class _Items(TypedDict):
    position: int
    state: Literal["pending", "created", "failed"]


class Items(_Items, total=False):
    paymentId: str
    paymentStatus: Literal["pending", "completed", "expired", "cancelled", "refunded", "failed"]
    amount: Amount
    dueDate: str
    overdue: Literal[True]
    code: str
    message: str
    problems: List[Problems]


class _PaymentBatchWithItems(TypedDict):
    id: str
    state: Literal["processing", "completed"]
    count: int
    created: int
    failed: int
    createdAt: str
    items: List[Items]


class PaymentBatchWithItems(_PaymentBatchWithItems, total=False):
    every: Literal["month", "week"]


class _FirstPayment(TypedDict):
    amount: Amount


class FirstPayment(_FirstPayment, total=False):
    expirationMinutes: Amount
    due: Due


class _PayerAccount(TypedDict):
    ispb: str
    account: str


class PayerAccount(_PayerAccount, total=False):
    branch: str


class _CreateRecurrence(TypedDict):
    payer: Payer
    contract: str
    frequency: Literal["weekly", "monthly", "quarterly", "semiannually", "annually"]
    startDate: str
    authorization: Literal["qr", "qr_with_payment", "offer", "push"]


class CreateRecurrence(_CreateRecurrence, total=False):
    description: str
    amount: Amount
    minimumAmount: Amount
    endDate: str
    retries: Literal["none", "three_in_seven_days"]
    firstPayment: FirstPayment
    payerAccount: PayerAccount
    schedule: Literal["automatic", "manual"]
    externalId: str
    credentialId: str
    ruleSetId: str


class _ChargeRecurrence(TypedDict):
    dueDate: str


class ChargeRecurrence(_ChargeRecurrence, total=False):
    amount: Amount
    description: str
    externalId: str


class _Recurrence(TypedDict):
    id: str
    status: Literal["pending", "active", "rejected", "expired", "cancelled"]
    frequency: Literal["weekly", "monthly", "quarterly", "semiannually", "annually"]
    startDate: str
    retries: Literal["none", "three_in_seven_days"]
    authorization: Literal["qr", "qr_with_payment", "offer", "push"]
    schedule: Literal["automatic", "manual"]
    contract: str
    provider: str
    payerName: str
    payerDocument: str
    createdAt: str
    expiresAt: str
    isTest: bool


class Recurrence(_Recurrence, total=False):
    statusReason: str
    endedBy: Literal["payer", "payer_bank", "receiver", "receiver_bank"]
    amount: Amount
    minimumAmount: Amount
    endDate: str
    description: str
    externalId: str
    payerAccount: PayerAccount
    pixCopyPaste: str
    pixQrCodeBase64: str
    checkoutUrl: str
    firstPaymentId: str
    nextDebitOn: str
    activatedAt: str
    endedAt: str


class _PaymentToken(TypedDict):
    token: str
    expiresAt: str


class PaymentToken(_PaymentToken, total=False):
    pass


class _Refund(TypedDict):
    id: str
    paymentId: str
    amount: Amount
    status: Literal["pending", "completed", "failed"]
    createdAt: str


class Refund(_Refund, total=False):
    failureReason: Literal["insufficient_balance", "refused_by_provider", "not_carried_out", "not_approved"]
    pendingReason: Literal["authorization_at_provider", "no_outcome_from_provider"]
    reason: str
    awaitingApproval: Literal[True]


class _Reversal(TypedDict):
    id: str
    paymentId: str
    amount: Amount
    reason: Literal["returned_at_psp", "med_fraud", "med_operational_failure", "med_automatic_pix", "chargeback"]
    status: Literal["pending", "completed", "failed"]
    createdAt: str


class Reversal(_Reversal, total=False):
    endToEndId: str
    reversedAt: str


class _Dispute(TypedDict):
    id: str
    paymentId: str
    amount: Amount
    state: Literal["open", "won", "lost"]
    createdAt: str


class Dispute(_Dispute, total=False):
    reason: str
    defenceUntil: str
    openedAt: str
    closedAt: str
    answer: Literal["defence", "acceptance"]
    answerStatus: Literal["sending", "sent"]
    answeredAt: str
    answerRefusedAt: str


class _PreviousDue(TypedDict):
    date: str
    payableDaysAfter: int
    adjustedDate: str
    lastPayableOn: str


class PreviousDue(_PreviousDue, total=False):
    fine: Fine
    interest: DueInterest
    discounts: List[Discounts]
    earlyDiscount: DueEarlyDiscount
    rebate: Rebate
    amountToday: Amount
    next: Next


class _Previous(TypedDict):
    amount: Amount


class Previous(_Previous, total=False):
    due: PreviousDue
    description: str


class _Event(TypedDict):
    id: str
    type: Literal["payment_updated", "payment_scheduled", "payment_debit_failed", "payment_completed", "payment_overdue", "payment_expired", "payment_cancelled", "payment_refunded", "payment_duplicated", "refund_completed", "refund_failed", "payment_reversed", "payment_disputed", "payment_dispute_deadline", "payment_dispute_closed"]
    createdAt: str
    sequence: int
    data: Payment


class Event(_Event, total=False):
    epoch: int
    refund: Refund
    reversal: Reversal
    dispute: Dispute
    previous: Previous


class _RecurrenceEvent(TypedDict):
    id: str
    createdAt: str
    sequence: int
    type: Literal["recurrence_activated", "recurrence_rejected", "recurrence_cancelled", "recurrence_expired"]
    data: Recurrence


class RecurrenceEvent(_RecurrenceEvent, total=False):
    epoch: int


class _Data(TypedDict):
    id: str
    credentialId: Any
    provider: str
    date: str
    endToEndId: Dict[str, Any]
    amount: Amount
    receivedAt: str


class Data(_Data, total=False):
    pass


class _BookEvent(TypedDict):
    id: str
    createdAt: str
    sequence: int
    type: Literal["unmatched_pix_received"]
    data: Data


class BookEvent(_BookEvent, total=False):
    epoch: int


class _Documents(TypedDict):
    name: str
    content: str


class Documents(_Documents, total=False):
    pass


class _DefendDispute(TypedDict):
    statement: str


class DefendDispute(_DefendDispute, total=False):
    documents: List[Documents]


class _Answering(TypedDict):
    defence: bool
    documents: Literal["none", "optional", "required"]
    acceptance: bool


class Answering(_Answering, total=False):
    panelUrl: str


class _DisputeDetailDocuments(TypedDict):
    id: str
    name: str
    mediaType: Literal["application/pdf", "image/png", "image/jpeg"]
    bytes: int


class DisputeDetailDocuments(_DisputeDetailDocuments, total=False):
    pass


class _DisputeDetail(TypedDict):
    id: str
    paymentId: str
    amount: Amount
    state: Literal["open", "won", "lost"]
    createdAt: str
    provider: str
    answering: Answering
    documents: List[DisputeDetailDocuments]


class DisputeDetail(_DisputeDetail, total=False):
    reason: str
    defenceUntil: str
    openedAt: str
    closedAt: str
    answer: Literal["defence", "acceptance"]
    answerStatus: Literal["sending", "sent"]
    answeredAt: str
    answerRefusedAt: str
    statement: str


class _DisputeDocument(TypedDict):
    id: str
    name: str
    mediaType: Literal["application/pdf", "image/png", "image/jpeg"]
    bytes: int
    content: str


class DisputeDocument(_DisputeDocument, total=False):
    pass


class _DisputeEvidenceDispute(TypedDict):
    id: str
    state: Literal["open", "won", "lost"]
    amount: Amount
    openedAt: str


class DisputeEvidenceDispute(_DisputeEvidenceDispute, total=False):
    reason: str
    defenceUntil: str


class _DisputeEvidencePayment(TypedDict):
    id: str
    status: Literal["pending", "completed", "expired", "cancelled", "refunded", "failed"]
    amount: Amount
    provider: str
    createdAt: str


class DisputeEvidencePayment(_DisputeEvidencePayment, total=False):
    description: str
    externalId: str
    txid: str
    checkoutOpenedAt: str
    confirmedAt: str


class _DisputeEvidencePayer(TypedDict):
    pass


class DisputeEvidencePayer(_DisputeEvidencePayer, total=False):
    name: str
    document: str


class _Received(TypedDict):
    amount: Amount
    paidAt: str


class Received(_Received, total=False):
    endToEndId: str
    name: str
    document: str
    institution: str
    isPayer: bool


class _Returned(TypedDict):
    kind: Literal["refund", "reversal"]
    amount: Amount
    status: Literal["pending", "completed", "failed"]
    at: str


class Returned(_Returned, total=False):
    reason: Literal["returned_at_psp", "med_fraud", "med_operational_failure", "med_automatic_pix", "chargeback"]


class _Told(TypedDict):
    event: Literal["payment_updated", "payment_scheduled", "payment_debit_failed", "payment_completed", "payment_overdue", "payment_expired", "payment_cancelled", "payment_refunded", "payment_duplicated", "refund_completed", "refund_failed", "payment_reversed", "payment_disputed", "payment_dispute_deadline", "payment_dispute_closed"]
    host: str
    statusCode: int
    at: str


class Told(_Told, total=False):
    pass


class _DisputeEvidence(TypedDict):
    preparedAt: str
    receiver: str
    dispute: DisputeEvidenceDispute
    payment: DisputeEvidencePayment
    payer: DisputeEvidencePayer
    received: List[Received]
    returned: List[Returned]
    told: List[Told]


class DisputeEvidence(_DisputeEvidence, total=False):
    pass


class _CreatePaymentLinkDiscounts(TypedDict):
    daysBefore: int


class CreatePaymentLinkDiscounts(_CreatePaymentLinkDiscounts, total=False):
    percent: Amount
    amount: Amount


class _CreatePaymentLink(TypedDict):
    pass


class CreatePaymentLink(_CreatePaymentLink, total=False):
    amount: Amount
    minimumAmount: Amount
    maximumAmount: Amount
    description: str
    singleUse: bool
    expiresAt: str
    returnUrl: str
    credentialId: str
    ruleSetId: str
    dueInDays: int
    payableDaysAfter: int
    fine: Fine
    interest: Interest
    discounts: List[CreatePaymentLinkDiscounts]
    earlyDiscount: EarlyDiscount
    rebate: Rebate


class _PaymentLinkInterest(TypedDict):
    businessDays: bool


class PaymentLinkInterest(_PaymentLinkInterest, total=False):
    percentPerDay: Amount
    percentPerMonth: Amount
    percentPerYear: Amount
    amountPerDay: Amount


class _PaymentLinkDiscounts(TypedDict):
    daysBefore: int


class PaymentLinkDiscounts(_PaymentLinkDiscounts, total=False):
    percent: Amount
    amount: Amount


class _PaymentLinkEarlyDiscount(TypedDict):
    businessDays: bool


class PaymentLinkEarlyDiscount(_PaymentLinkEarlyDiscount, total=False):
    percentPerDay: Amount
    amountPerDay: Amount


class _PaymentLink(TypedDict):
    id: str
    url: str
    status: Literal["active", "used", "expired", "deactivated"]
    currency: Literal["BRL"]
    singleUse: bool
    isTest: bool
    createdAt: str


class PaymentLink(_PaymentLink, total=False):
    amount: Amount
    minimumAmount: Amount
    maximumAmount: Amount
    description: str
    expiresAt: str
    returnUrl: str
    credentialId: str
    ruleSetId: str
    dueInDays: int
    payableDaysAfter: int
    fine: Fine
    interest: PaymentLinkInterest
    discounts: List[PaymentLinkDiscounts]
    earlyDiscount: PaymentLinkEarlyDiscount
    rebate: Rebate


class _ReceivedSandboxPix(TypedDict):
    endToEndId: str
    amount: Amount
    receivedAt: str


class ReceivedSandboxPix(_ReceivedSandboxPix, total=False):
    pass


class _TestClock(TypedDict):
    now: str
    isMoved: bool


class TestClock(_TestClock, total=False):
    pass


class _Operation(TypedDict):
    type: Literal["query", "mutation", "subscription"]
    fields: List[str]


class Operation(_Operation, total=False):
    name: str


class _Errors(TypedDict):
    code: str
    fields: List[str]


class Errors(_Errors, total=False):
    pass


class _ServedRequest(TypedDict):
    at: str
    method: str
    path: str
    status: int
    durationMs: int
    traceId: str


class ServedRequest(_ServedRequest, total=False):
    isAborted: Literal[True]
    idempotencyKey: Literal["sent", "replayed"]
    operation: Operation
    errors: List[Errors]


class _CreateWebhookEndpoint(TypedDict):
    url: str


class CreateWebhookEndpoint(_CreateWebhookEndpoint, total=False):
    name: str
    events: List[Literal["payment_updated", "payment_scheduled", "payment_debit_failed", "payment_completed", "payment_overdue", "payment_expired", "payment_cancelled", "payment_refunded", "payment_duplicated", "refund_completed", "refund_failed", "payment_reversed", "payment_disputed", "payment_dispute_deadline", "payment_dispute_closed", "recurrence_activated", "recurrence_rejected", "recurrence_cancelled", "recurrence_expired", "unmatched_pix_received", "ops_alert_opened", "ops_alert_closed"]]


class _UpdateWebhookEndpoint(TypedDict):
    pass


class UpdateWebhookEndpoint(_UpdateWebhookEndpoint, total=False):
    name: str
    url: str
    events: List[Literal["payment_updated", "payment_scheduled", "payment_debit_failed", "payment_completed", "payment_overdue", "payment_expired", "payment_cancelled", "payment_refunded", "payment_duplicated", "refund_completed", "refund_failed", "payment_reversed", "payment_disputed", "payment_dispute_deadline", "payment_dispute_closed", "recurrence_activated", "recurrence_rejected", "recurrence_cancelled", "recurrence_expired", "unmatched_pix_received", "ops_alert_opened", "ops_alert_closed"]]


class _WebhookEndpoint(TypedDict):
    id: str
    url: str
    events: List[Literal["payment_updated", "payment_scheduled", "payment_debit_failed", "payment_completed", "payment_overdue", "payment_expired", "payment_cancelled", "payment_refunded", "payment_duplicated", "refund_completed", "refund_failed", "payment_reversed", "payment_disputed", "payment_dispute_deadline", "payment_dispute_closed", "recurrence_activated", "recurrence_rejected", "recurrence_cancelled", "recurrence_expired", "unmatched_pix_received", "ops_alert_opened", "ops_alert_closed"]]
    enabled: bool
    isTest: bool
    createdAt: str


class WebhookEndpoint(_WebhookEndpoint, total=False):
    name: str
    disabledReason: str
    failingSince: str
    rotatingUntil: str


class _WebhookEndpointWithSecret(TypedDict):
    id: str
    url: str
    events: List[Literal["payment_updated", "payment_scheduled", "payment_debit_failed", "payment_completed", "payment_overdue", "payment_expired", "payment_cancelled", "payment_refunded", "payment_duplicated", "refund_completed", "refund_failed", "payment_reversed", "payment_disputed", "payment_dispute_deadline", "payment_dispute_closed", "recurrence_activated", "recurrence_rejected", "recurrence_cancelled", "recurrence_expired", "unmatched_pix_received", "ops_alert_opened", "ops_alert_closed"]]
    enabled: bool
    isTest: bool
    createdAt: str
    secret: str


class WebhookEndpointWithSecret(_WebhookEndpointWithSecret, total=False):
    name: str
    disabledReason: str
    failingSince: str
    rotatingUntil: str


class _ResponseHeaders(TypedDict):
    name: str
    value: str


class ResponseHeaders(_ResponseHeaders, total=False):
    pass


class _WebhookEndpointTest(TypedDict):
    latencyMs: int
    startedAt: str


class WebhookEndpointTest(_WebhookEndpointTest, total=False):
    statusCode: int
    error: str
    answer: str
    responseHeaders: List[ResponseHeaders]


# End of what is generated.

Amount = Union[int, float, Decimal]
LONGEST_WAIT_SECONDS = 30


class PixError(Exception):
    """Everything this module raises, but for errors of its arguments."""


class ConnectionFailed(PixError):
    """No response came: the network failed, or the time was over. Whether the service did its work is unknown."""


class WebhookVerificationError(PixError):
    """The webhook is forged, altered or too old. Respond with 401."""


class ApiError(PixError):
    """The service refused the request, or failed. Decide by `code`: docs/errors.md of the service lists them all."""

    def __init__(
        self,
        message: str,
        status: int,
        code: str,
        trace_id: Optional[str],
        retry_after: Optional[int],
        help_url: Optional[str] = None,
    ):
        super().__init__(message)
        self.status = status
        self.code = code
        self.trace_id = trace_id
        self.retry_after = retry_after
        self.help_url = help_url


class InvalidRequestError(ApiError):
    """400, 413, 415, 422: the message names each field and the rule it breaks."""


class AuthenticationError(ApiError):
    """401"""


class PermissionDenied(ApiError):
    """403"""


class NotFoundError(ApiError):
    """404"""


class ConflictError(ApiError):
    """409: the state of the payment does not allow it."""


class RateLimitError(ApiError):
    """429"""


class ServiceError(ApiError):
    """5xx, after every retry."""


_BY_STATUS = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def _number(value: object) -> float:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _kind(status: int) -> Type[ApiError]:
    return _BY_STATUS.get(status, ServiceError if status >= 500 else ApiError)


def _api_error(error: HTTPError) -> ApiError:
    try:
        message = json.loads(error.read())["message"]
    except (ValueError, KeyError, TypeError, OSError):
        message = f"The response has status {error.code}."
    seconds = error.headers.get("Retry-After", "")
    kind = _kind(error.code)
    code = error.headers.get("X-Error-Code", "unknown")
    trace_id = error.headers.get("X-Trace-Id")
    link = re.search(r'<([^>]*)>; rel="help"', error.headers.get("Link", ""))
    help_url = urljoin(error.url, link[1]) if link else None
    return kind(message, error.code, code, trace_id, int(seconds) if seconds.isdecimal() else None, help_url)


class Pix:
    """What failed for a reason that passes is sent again, where nothing can happen twice."""

    def __init__(self, api_key: str, base_url: str, timeout: float = 30.0, max_retries: int = 2):
        # A space or a line end comes from the file that the key is read from.
        if not api_key.startswith(("pk_test_", "pk_live_")) or api_key.split() != [api_key]:
            raise ValueError("api_key must be pk_test_… or pk_live_…, without white space")
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must be a URL")
        self._api_key = api_key
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._max_retries = max_retries

    def create_payment(self, payment: CreatePayment, idempotency_key: Optional[str] = None) -> Payment:
        return self._write("/v1/payments", payment, idempotency_key)

    def payment(self, id: str) -> Payment:
        return self._send("GET", _path(id))

    def payments(self, **filter: Any) -> Iterator[Payment]:
        """Newest first, page by page as you iterate: `status`, `externalId`, `createdFrom`, `createdTo`, `paidFrom`, `paidTo`, `concern`, `dueFrom`, `dueTo`, `overdue`, `refunded`, `sort`, `order`, `limit`."""
        return self._pages("/v1/payments", "cursor", filter)

    def update_payment(self, id: str, changes: UpdatePayment, idempotency_key: Optional[str] = None) -> Payment:
        """Of a pending payment with a due date; with the `revision` that you have seen, only if nobody else has changed it."""
        return self._write(_path(id), changes, idempotency_key, "PATCH")

    def cancel_payment(self, id: str, idempotency_key: Optional[str] = None) -> Payment:
        return self._write(_path(id, "/cancel"), {}, idempotency_key)

    def refund_payment(
        self,
        id: str,
        amount: Optional[Amount] = None,
        reason: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Refund:
        """Without an amount, all that is left."""
        body = _given({"amount": amount, "reason": reason})
        return self._write(_path(id, "/refunds"), body, idempotency_key)

    def refunds(self, id: str) -> Iterator[Refund]:
        return self._pages(_path(id, "/refunds"), "cursor", {})

    def list_refunds(self, **filter: Any) -> Iterator[Refund]:
        """Of all payments, newest first, page by page as you iterate: `status`, `search`, `createdFrom` and others."""
        return self._pages("/v1/refunds", "cursor", filter)

    def create_batch(self, batch: CreatePaymentBatch, idempotency_key: Optional[str] = None) -> PaymentBatch:
        """Many payments, or instalments of one, made one after the other."""
        return self._write("/v1/payment-batches", batch, idempotency_key)

    def batch(self, id: str) -> PaymentBatchWithItems:
        return self._send("GET", f"/v1/payment-batches/{quote(id, safe='')}")

    def create_recurrence(
        self, recurrence: CreateRecurrence, idempotency_key: Optional[str] = None
    ) -> Recurrence:
        """Asks a payer to permit recurring debits, each of which is a payment."""
        return self._write("/v1/recurrences", recurrence, idempotency_key)

    def recurrence(self, id: str) -> Recurrence:
        return self._send("GET", f"/v1/recurrences/{quote(id, safe='')}")

    def recurrences(self, **filter: Any) -> Iterator[Recurrence]:
        """Newest first, page by page as you iterate: `status`, `limit`."""
        return self._pages("/v1/recurrences", "cursor", filter)

    def cancel_recurrence(self, id: str, idempotency_key: Optional[str] = None) -> Recurrence:
        return self._write(f"/v1/recurrences/{quote(id, safe='')}/cancel", {}, idempotency_key)

    def charge_recurrence(
        self, id: str, debit: ChargeRecurrence, idempotency_key: Optional[str] = None
    ) -> Payment:
        return self._write(f"/v1/recurrences/{quote(id, safe='')}/payments", debit, idempotency_key)

    def recurrence_payments(self, id: str) -> Iterator[Payment]:
        return self._pages(f"/v1/recurrences/{quote(id, safe='')}/payments", "cursor", {})

    def disputes(self, **filter: Any) -> Iterator[Dispute]:
        """What payers contest: with `open=True` the earliest deadline first, otherwise newest first."""
        return self._pages("/v1/disputes", "cursor", filter)

    def dispute(self, id: str) -> DisputeDetail:
        return self._send("GET", f"/v1/disputes/{quote(id, safe='')}")

    def defend_dispute(
        self, id: str, defence: DefendDispute, idempotency_key: Optional[str] = None
    ) -> DisputeDetail:
        """Sends a statement and documents to the provider; their content is base64."""
        return self._write(f"/v1/disputes/{quote(id, safe='')}/defence", defence, idempotency_key)

    def accept_dispute(self, id: str, idempotency_key: Optional[str] = None) -> DisputeDetail:
        """Gives the money back."""
        return self._write(f"/v1/disputes/{quote(id, safe='')}/accept", {}, idempotency_key)

    def dispute_document(self, id: str, document_id: str) -> DisputeDocument:
        return self._send(
            "GET", f"/v1/disputes/{quote(id, safe='')}/documents/{quote(document_id, safe='')}"
        )

    def dispute_evidence(self, id: str) -> DisputeEvidence:
        """What is known of its payment."""
        return self._send("GET", f"/v1/disputes/{quote(id, safe='')}/evidence")

    def create_payment_link(self, link: CreatePaymentLink) -> PaymentLink:
        """A page that makes a payment for each payer who opens it. Never repeated: each is another link."""
        return self._send("POST", "/v1/payment-links", link, is_repeatable=False)

    def payment_link(self, id: str) -> PaymentLink:
        return self._send("GET", _link_path(id))

    def payment_links(self, **filter: Any) -> Iterator[PaymentLink]:
        """Newest first, page by page as you iterate: `state`, `search`, `limit`."""
        return self._pages("/v1/payment-links", "cursor", filter)

    def payment_link_payments(self, id: str) -> Iterator[Payment]:
        """Those that it made, newest first."""
        return self._pages(_link_path(id, "/payments"), "cursor", {})

    def deactivate_payment_link(self, id: str) -> PaymentLink:
        """Ends it for good."""
        return self._send("POST", _link_path(id, "/deactivate"))

    def retry_payment(self, id: str, date: str, idempotency_key: Optional[str] = None) -> Payment:
        """Has the payer's bank asked again for a debit that failed, on that day."""
        return self._write(_path(id, "/retry"), {"date": date}, idempotency_key)

    def payment_token(self, id: str) -> PaymentToken:
        """For the payer's browser: reads this payment and nothing else."""
        return self._send("POST", _path(id, "/token"))

    def events(self, after: Optional[int] = None, limit: Optional[int] = None) -> Iterator[Event]:
        """In their order, those after a `sequence`: what you may have missed."""
        return self._pages("/v1/events", "after", {"after": after, "limit": limit})

    def requests(self) -> Iterator[Dict[str, Any]]:
        """What is requested with a test key from now on, until the connection ends.

        Each has an `event` and its `data`: `request` a `ServedRequest`, `missed` the `count` of those that were too many to
        show, `scope` whether `allNodes` are heard.
        """
        with self._reached(), _opener.open(
            self._request("GET", "/v1/requests/stream"), timeout=self._timeout
        ) as response:
            event = ""
            for line in response:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    data = json.loads(value)
                    if event == "error":
                        raise _kind(data["statusCode"])(data["message"], data["statusCode"], "unknown", None, None)
                    yield {"event": event, "data": data}

    # A second Pix would be a duplicate: what plays the payer is never repeated.

    def webhook_endpoints(self) -> List[WebhookEndpoint]:
        """Where events are sent, oldest first; for keys with the permission `webhooks:manage`."""
        return self._send("GET", _endpoint_path())["data"]

    def webhook_endpoint(self, id: str) -> WebhookEndpoint:
        return self._send("GET", _endpoint_path(id))

    def create_webhook_endpoint(self, endpoint: CreateWebhookEndpoint) -> WebhookEndpointWithSecret:
        """The signing secret is shown only once. Never repeated: each is another endpoint."""
        return self._send("POST", _endpoint_path(), endpoint, is_repeatable=False)

    def update_webhook_endpoint(self, id: str, changes: UpdateWebhookEndpoint) -> WebhookEndpoint:
        return self._send("PATCH", _endpoint_path(id), changes)

    def enable_webhook_endpoint(self, id: str) -> WebhookEndpoint:
        return self._send("POST", _endpoint_path(id, "/enable"))

    def disable_webhook_endpoint(self, id: str) -> WebhookEndpoint:
        return self._send("POST", _endpoint_path(id, "/disable"))

    def rotate_webhook_secret(self, id: str) -> WebhookEndpointWithSecret:
        """The new secret is shown only once; the old one signs as well for 24 hours. Never repeated."""
        return self._send("POST", _endpoint_path(id, "/rotate-secret"), is_repeatable=False)

    def test_webhook_endpoint(self, id: str) -> WebhookEndpointTest:
        """Sends an event about nothing and waits for the response."""
        return self._send("POST", _endpoint_path(id, "/test"), is_repeatable=False)

    def delete_webhook_endpoint(self, id: str) -> None:
        """Deletes it for good."""
        self._send("DELETE", _endpoint_path(id), is_repeatable=False)

    def sandbox_pay(
        self, id: str, amount: Optional[Amount] = None, payer: Optional[Mapping[str, str]] = None
    ) -> Payment:
        """Plays the payer of a test payment. Without an amount, all that is owed."""
        return self._simulate(f"payments/{quote(id, safe='')}/pay", {"amount": amount, "payer": payer})

    def sandbox_expire(self, id: str) -> Payment:
        return self._simulate(f"payments/{quote(id, safe='')}/expire")

    def sandbox_reverse(
        self, id: str, amount: Optional[Amount] = None, reason: Optional[str] = None
    ) -> Payment:
        """Takes money back. Without an amount, all that is left."""
        return self._simulate(f"payments/{quote(id, safe='')}/reverse", {"amount": amount, "reason": reason})

    def sandbox_dispute(
        self,
        id: str,
        amount: Optional[Amount] = None,
        defence_hours: Optional[int] = None,
        after_defence: Optional[Literal["won", "lost"]] = None,
    ) -> Payment:
        body = {"amount": amount, "defenceHours": defence_hours, "afterDefence": after_defence}
        return self._simulate(f"payments/{quote(id, safe='')}/dispute", body)

    def sandbox_close_dispute(self, id: str, outcome: Literal["won", "lost"]) -> Payment:
        return self._simulate(f"payments/{quote(id, safe='')}/dispute/close", {"outcome": outcome})

    def sandbox_answer_debit(self, id: str, outcome: str) -> Payment:
        """Has the payer's bank answer a debit: `paid`, `no_balance`, `limit`, `account_closed`, `operational`, `already_paid`."""
        return self._simulate(f"payments/{quote(id, safe='')}/debit", {"outcome": outcome})

    def sandbox_approve_recurrence(self, id: str) -> Recurrence:
        return self._simulate(f"recurrences/{quote(id, safe='')}/approve")

    def sandbox_reject_recurrence(self, id: str) -> Recurrence:
        return self._simulate(f"recurrences/{quote(id, safe='')}/reject")

    def sandbox_revoke_recurrence(self, id: str) -> Recurrence:
        return self._simulate(f"recurrences/{quote(id, safe='')}/revoke")

    def sandbox_receive_pix(self, amount: Amount) -> ReceivedSandboxPix:
        """Pays the key directly, without a payment."""
        return self._simulate("pix", {"amount": amount})

    def sandbox_clock(self) -> TestClock:
        return self._send("GET", "/v1/sandbox/clock")

    def sandbox_advance_clock(self, advance: Optional[str] = None, to: Optional[str] = None) -> TestClock:
        """Moves the clock of test mode forward, by a duration such as `P4D` or to an instant."""
        return self._simulate("clock", {"advance": advance, "to": to})

    def sandbox_reset_clock(self) -> TestClock:
        """Returns it to real time."""
        return self._send("DELETE", "/v1/sandbox/clock")

    def _simulate(self, path: str, body: Optional[Dict[str, Any]] = None) -> Any:
        return self._send("POST", f"/v1/sandbox/{path}", _given(body), is_repeatable=False)

    def _write(self, path: str, body: Any, idempotency_key: Optional[str], method: str = "POST") -> Any:
        return self._send(method, path, body, idempotency_key or str(uuid.uuid4()))

    def _pages(self, path: str, cursor: str, filter: Dict[str, Any]) -> Iterator[Any]:
        query = {name: _parameter(value) for name, value in filter.items() if value is not None}
        while True:
            page = self._send("GET", f"{path}?{urlencode(query)}")
            yield from page["data"]
            if "nextCursor" not in page:
                return
            query[cursor] = page["nextCursor"]

    def _send(
        self,
        method: str,
        path: str,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        is_repeatable: bool = True,
    ) -> Any:
        request = self._request(method, path, body, idempotency_key)
        return self._attempt(lambda: self._once(request), self._max_retries if is_repeatable else 0)

    def _request(
        self, method: str, path: str, body: Any = None, idempotency_key: Optional[str] = None
    ) -> Request:
        headers = {"X-API-Key": self._api_key}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        data = None if body is None else json.dumps(body, default=_number).encode()
        return Request(self._base_url + path, data=data, headers=headers, method=method)

    def _once(self, request: Request) -> Any:
        with self._reached():
            with _opener.open(request, timeout=self._timeout) as response:
                return json.loads(response.read(), parse_float=Decimal)

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except HTTPError as error:
            raise _api_error(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailed(f"No response from {self._base_url}") from error

    def _attempt(self, once: Callable[[], Any], max_retries: int) -> Any:
        for retries in range(max_retries):
            try:
                return once()
            except (ApiError, ConnectionFailed) as error:
                pause = _pause_after(error, retries)
                if pause is None:
                    raise
                time.sleep(pause)
        return once()


class _NoRedirects(HTTPRedirectHandler):
    """The key is for one address alone: a redirect is an error."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


def _parameter(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _endpoint_path(id: str = "", rest: str = "") -> str:
    return "/v1/webhook-endpoints" + (f"/{quote(id, safe='')}{rest}" if id else "")


def _path(id: str, rest: str = "") -> str:
    return f"/v1/payments/{quote(id, safe='')}{rest}"


def _link_path(id: str, rest: str = "") -> str:
    return f"/v1/payment-links/{quote(id, safe='')}{rest}"


def _given(body: Optional[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    return body and {name: value for name, value in body.items() if value is not None}


def _pause_after(error: PixError, retries: int) -> Optional[float]:
    """Seconds until the next attempt; None when it would fail again."""
    usual = 0.5 * 2**retries * random.uniform(0.75, 1.25)
    if not isinstance(error, ApiError):
        return usual
    may_pass = error.status in (408, 429) or error.status >= 500 or error.code == "idempotency_key_in_flight"
    if not may_pass or (error.retry_after or 0) > LONGEST_WAIT_SECONDS:
        return None
    return usual if error.retry_after is None else error.retry_after


def verify_webhook(
    body: Union[str, bytes, bytearray, memoryview],
    headers: Union[Mapping[str, Any], Iterable[Tuple[Any, Any]]],
    secret: Union[str, Sequence[str]],
    tolerance_seconds: int = 300,
) -> Event:
    """Returns the event of a webhook that the service signed (Standard Webhooks).

    `body` is what came, unparsed. `headers` are a mapping or pairs, with names in any case, as text or bytes. During a rotation,
    pass both secrets. An event may come twice: deduplicate by its `id`. At an endpoint that lists them, a `type` that begins with
    `recurrence_` makes it a `RecurrenceEvent`, and `unmatched_pix_received` a `BookEvent`.
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            "body must be the raw bytes of the request, which were signed: not parsed JSON. They are request.get_data() in"
            " Flask, request.body in Django and await request.body() in FastAPI."
        )
    pairs = headers.items() if hasattr(headers, "items") else headers
    lower = {_text(name).lower(): _text(value) for name, value in pairs}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not lower.get(name):
            raise WebhookVerificationError(f"{name} is missing")
    timestamp = lower["webhook-timestamp"]
    if not (timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= tolerance_seconds):
        raise WebhookVerificationError("webhook-timestamp is not of now")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{lower['webhook-id']}.{timestamp}.".encode() + content
    given = lower["webhook-signature"].split(" ")
    for each in [secret] if isinstance(secret, str) else secret:
        digest = hmac.new(_secret_bytes(each), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        if any(hmac.compare_digest(signature.encode(), expected) for signature in given):
            return json.loads(content, parse_float=Decimal)
    raise WebhookVerificationError("webhook-signature is not of this body and secret")


def _text(value: Any) -> str:
    """A header that came several times is a list."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return " ".join(map(_text, value)) if isinstance(value, (list, tuple)) else str(value)


def _secret_bytes(secret: str) -> bytes:
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        decoded = b""
    if not decoded:
        raise ValueError("secret is not the one that the service shows: whsec_…")
    return decoded
