"""A shop that sells one thing: POST /orders, GET /orders/ID, and the webhook that says what was paid."""

import os
import sys
from pathlib import Path
from uuid import uuid4

from fastapi import FastAPI, HTTPException, Request, Response

# In your project, a copy of it lies beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packages" / "python"))

from pix_service import Pix, WebhookVerificationError, verify_webhook  # noqa: E402

for name in ("PIX_URL", "PIX_API_KEY", "WEBHOOK_SECRET"):
    if not os.environ.get(name):
        sys.exit(f"{name} is missing")
pix = Pix(os.environ["PIX_API_KEY"], os.environ["PIX_URL"])
app = FastAPI()

# In your database.
orders = {}
seen = set()


# Not async: FastAPI runs it in a thread, and the client waits for the service.
@app.post("/orders", status_code=201)
def create_order():
    order = {"id": str(uuid4()), "amount": 19.9, "status": "waiting"}
    orders[order["id"]] = order
    # The order's own id: whoever asks again for an order whose response was lost gets the same payment.
    payment = pix.create_payment(
        {"amount": order["amount"], "externalId": order["id"], "description": "T-shirt"},
        idempotency_key=order["id"],
    )
    return {**order, "pixCopyPaste": payment["pixCopyPaste"]}


@app.get("/orders/{order_id}")
def get_order(order_id: str):
    if order_id not in orders:
        raise HTTPException(404, "no such order")
    return orders[order_id]


# The bytes as they came: JSON that was parsed and printed again has another signature.
@app.post("/webhook", status_code=204, response_class=Response)
async def receive(request: Request):
    if int(request.headers.get("content-length", 10**9)) > 1_000_000:  # Events are small and say their length.
        raise HTTPException(413, "too large")
    try:
        event = verify_webhook(await request.body(), request.headers, os.environ["WEBHOOK_SECRET"])
    except WebhookVerificationError:
        raise HTTPException(401, "not signed by the service") from None
    order = orders.get(event["data"].get("externalId"))
    if order and event["id"] not in seen and event["type"] == "payment_completed":
        order["status"] = "paid"
    seen.add(event["id"])
