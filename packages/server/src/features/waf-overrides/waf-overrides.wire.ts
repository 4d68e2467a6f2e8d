// Overrides between the wire and the product's own terms.
import type { WafOverrideDraft, WireWafOverride } from '@zonereeve/contract'
import { USUAL_PRIORITY, type WafOverrideContent } from './waf-overrides.rules.ts'
import type { WafOverride } from './waf-overrides.store.ts'

/** Members stand in the order of the live API. */
export function toWireOverride(override: WafOverride): WireWafOverride {
  return {
    id: override.id,
    description: override.description,
    urls: [...override.urls],
    priority: override.priority,
    groups: { ...override.groups },
    rewrite_action: { ...override.rewriteAction },
    rules: { ...override.rules },
    paused: override.paused,
  }
}

/** What is not sent is empty; older clients send null for it. */
export function toOverrideContent(draft: WafOverrideDraft): WafOverrideContent {
  return {
    description: draft.description ?? null,
    urls: draft.urls,
    priority: draft.priority ?? USUAL_PRIORITY,
    groups: draft.groups ?? {},
    rules: draft.rules ?? {},
    rewriteAction: draft.rewrite_action ?? {},
    paused: draft.paused ?? false,
  }
}
