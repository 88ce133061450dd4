// Pages of castq as documents, of which scripts take parts.

const policy = globalThis.trustedTypes?.createPolicy("castq-page", { createHTML: (text) => text });

/** A page of castq that is parsed apart: it runs nothing. Trusted Types lets only policies make one. */
export async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) return null;
  const text = await answer.text();
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
}
