// Conversion of overrides between the wire format and the domain types.
import type { WafOverrideDraft, WireWafOverride } from '@zonereeve/contract'
import { DEFAULT_PRIORITY, type WafOverrideContent } from './waf-overrides.rules.ts'
import type { WafOverride } from './waf-overrides.store.ts'

/** Members are in the order of the live API. */
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

/** Members that are not sent are empty; older clients send null. */
export function toOverrideContent(draft: WafOverrideDraft): WafOverrideContent {
  return {
    description: draft.description ?? null,
    urls: draft.urls,
    priority: draft.priority ?? DEFAULT_PRIORITY,
    groups: draft.groups ?? {},
    rules: draft.rules ?? {},
    rewriteAction: draft.rewrite_action ?? {},
    paused: draft.paused ?? false,
  }
}
