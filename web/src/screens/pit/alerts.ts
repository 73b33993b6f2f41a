/** Alerts of the pit: what happened that somebody should have seen. They stay until they are cleared. */

import type { About, Seen, SeenEvent, View } from "../../lib/types";

export interface Alert {
  id: string;
  table: string;
  seen: Seen;
  /** What came of it last. */
  then?: Seen;
}

const NOTES = new Set<SeenEvent["event"]>([
  "late_chips_refused",
  "round_voided",
  "round_settled_again",
  "round_reopened",
  "card_corrected",
  "hand_corrected",
  "card_struck",
  "card_added",
  "order_corrected",
  "bet_corrected",
  "insurance_corrected",
  "call_corrected",
  "confirmation_corrected",
  "confirmation_overridden",
  "limits_set",
  "differential_set",
  "play_interrupted",
  "cards_at_fault",
  "money_ruled",
  "bet_found",
  "noted",
  "squeeze_barred",
  "insurance_missed",
  "shoe_to_be_replaced",
  "table_closed",
]);

const flagName = ({ flag, about }: { flag?: string; about?: string | About }): string => `flag ${flag} ${JSON.stringify(about ?? "")}`;

/** What an event is about, where several events are about the same: the first makes the alert, others go on with it. */
function subjectOf(event: SeenEvent): { name: string; first: boolean } | null {
  switch (event.event) {
    case "incident_opened":
      return { name: `incident ${event.number ?? 0}`, first: true };
    case "incident_closed":
      return { name: `incident ${event.number ?? 0}`, first: false };
    case "ruling_proposed":
      return event.incident ? { name: `incident ${event.incident}`, first: false } : { name: `proposal ${event.number ?? 0}`, first: true };
    case "ruling_given":
      return event.incident ? { name: `incident ${event.incident}`, first: false } : { name: `proposal ${event.proposal ?? 0}`, first: false };
    case "ruling_declined":
      return { name: `proposal ${event.proposal ?? 0}`, first: false };
    case "dispute_raised":
      return { name: `dispute ${event.number ?? 0}`, first: true };
    case "dispute_noted":
    case "dispute_decided":
    case "dispute_answered":
      return { name: `dispute ${event.dispute ?? 0}`, first: false };
    case "fill_requested":
      return { name: `fill ${event.request ?? ""}`, first: true };
    case "fill_signed":
    case "fill_cancelled":
      return { name: `fill ${event.request ?? ""}`, first: false };
    case "flagged":
      return { name: flagName(event), first: true };
    case "flag_cleared":
      return { name: flagName(event), first: false };
    default:
      return null;
  }
}

/** The alerts after one more event of a table; the latest comes first. */
export function alertsAfter(alerts: readonly Alert[], table: string, seen: Seen): readonly Alert[] {
  const { event } = seen;
  if (!event) return alerts;
  const subject = subjectOf(event);
  if (subject && !subject.first) {
    // a closing word adds nothing to the ruling before it
    if (event.event === "incident_closed") return alerts;
    const id = `${table} ${subject.name}`;
    const at = alerts.findIndex((alert) => alert.id === id || alert.id.startsWith(`${id} @`));
    return at < 0 ? alerts : alerts.map((alert, index) => (index === at ? { ...alert, then: seen } : alert));
  }
  if (!subject && !NOTES.has(event.event)) return alerts;
  return [{ id: `${table} ${subject?.name ?? "note"} @${seen.version}`, table, seen }, ...alerts];
}

/** Whether what the alert is about is still open at the table. */
export function isOpen(alert: Alert, view: View | null | undefined): boolean {
  const { event } = alert.seen;
  const { matters, felt, flags } = view ?? {};
  switch (event?.event) {
    case "incident_opened":
      return matters?.incidents.some((incident) => incident.number === event.number) ?? false;
    case "ruling_proposed":
      return matters?.proposals.some((proposal) => proposal.number === event.number) ?? false;
    case "dispute_raised":
      return matters?.disputes.some((dispute) => dispute.number === event.number) ?? false;
    case "fill_requested":
      return felt?.fills.some((fill) => fill.request === event.request) ?? false;
    case "flagged":
      return flags?.some((flag) => flagName(flag) === flagName(event)) ?? false;
    default:
      return false;
  }
}
