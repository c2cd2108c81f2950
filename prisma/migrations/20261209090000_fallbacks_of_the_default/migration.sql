-- Tried in this order after the default credential, wherever it is reached.
ALTER TABLE "organization" ADD COLUMN "default_fallback_credential_ids" UUID[] NOT NULL DEFAULT '{}';
