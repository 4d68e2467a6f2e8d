// Tables of webhooks; the rest stands in database.ts.
export interface WebhookTables {
  page_shield_webhooks: {
    id: string
    zone_id: string
    url: string
    /** JSON; `null` = all. */
    kinds: string
    enabled: number
    secret: string
    created_on: string
    /** Number of an event. */
    last_event: number
    delivered_at: string | null
    failures: number
    problem: string | null
    next_attempt_at: string
  }
}
