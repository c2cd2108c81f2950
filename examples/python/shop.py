"""A shop that sells one thing: POST /orders, GET /orders/ID, and the webhook that says what was paid."""

import json
import os
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# In your project, a copy of it lies beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packages" / "python"))

from pix_service import Pix, PixError, WebhookVerificationError, verify_webhook  # noqa: E402

for name in ("PIX_URL", "PIX_API_KEY", "WEBHOOK_SECRET"):
    if not os.environ.get(name):
        sys.exit(f"{name} is missing")
pix = Pix(os.environ["PIX_API_KEY"], os.environ["PIX_URL"])

# In your database.
orders = {}
seen = set()


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if not 0 <= length <= 1_000_000:  # Events are small.
            return self.reply(413)
        body = self.rfile.read(length)
        if self.path == "/orders":
            self.create_order()
        elif self.path == "/webhook":
            self.receive(body)
        else:
            self.reply(404)

    def do_GET(self):
        order = orders.get(self.path.removeprefix("/orders/"))
        self.reply(200 if order else 404, order)

    def create_order(self):
        order = {"id": str(uuid.uuid4()), "amount": 19.9, "status": "waiting"}
        orders[order["id"]] = order
        # The order's own id: whoever asks again for an order whose response was lost gets the same payment.
        try:
            payment = pix.create_payment(
                {"amount": order["amount"], "externalId": order["id"], "description": "T-shirt"},
                idempotency_key=order["id"],
            )
        except PixError as error:
            print(f"order {order['id']} has no payment: {error}", file=sys.stderr, flush=True)
            self.reply(502, {"message": "The payment could not be created. Please try again."})
            return
        self.reply(201, {**order, "pixCopyPaste": payment["pixCopyPaste"]})

    def receive(self, body):
        try:
            event = verify_webhook(body, self.headers, os.environ["WEBHOOK_SECRET"])
        except WebhookVerificationError:
            self.reply(401)
            return
        order = orders.get(event["data"].get("externalId"))
        if order and event["id"] not in seen and event["type"] == "payment_completed":
            order["status"] = "paid"
        seen.add(event["id"])
        self.reply(204)

    def reply(self, status, body=None):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        if body is not None:
            self.wfile.write(json.dumps(body).encode())


port = int(os.environ.get("PORT", "4000"))
print(f"shop on http://localhost:{port}", flush=True)
ThreadingHTTPServer(("127.0.0.1", port), Shop).serve_forever()
