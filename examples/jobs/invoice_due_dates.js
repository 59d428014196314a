// When invoices are due, at nine in the morning of each customer's own clock, over a change to summer time.
import { addBusinessDays, differenceInHours, isWeekend } from "@nodetool-ai/sandbox-dates";
import { formatInTimeZone, fromZonedTime, occurrences, parseDate, toZonedTime } from "@nodetool-ai/sandbox-dates/zones";

const due = inputs.invoices.map(({ customer, sent, zone, days }) => {
  const sentAt = parseDate(sent, { zone, dayFirst: true });
  const local = toZonedTime(sentAt, zone);
  // calendar arithmetic on the customer's own date, then back to an instant
  const day = addBusinessDays(Date.UTC(local.year, local.month - 1, local.day), days);
  const at = fromZonedTime(`${day.toISOString().slice(0, 10)}T09:00`, zone);
  return {
    customer,
    due: at,
    text: formatInTimeZone(at, zone, "EEEE, d MMMM yyyy HH:mm zzz"),
    hours: differenceInHours(at, sentAt),
    weekend: isWeekend(day),
  };
});

const reminders = occurrences(
  "DTSTART;TZID=Europe/Berlin:20240329T090000\nRRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=3\nEXDATE;VALUE=DATE:20240401",
);
return { due, reminders };
