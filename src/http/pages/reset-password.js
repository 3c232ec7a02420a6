const form = document.getElementById("form");
const outcome = document.getElementById("outcome");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = new URLSearchParams(location.search).get("token") ?? "";
  const password = document.getElementById("password").value;
  const revokeApiKeys = document.getElementById("revoke-api-keys").checked;
  try {
    const response = await fetch("/auth/reset-password", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, password, revokeApiKeys }),
    });
    const answer = await response.json();
    const violations = answer.error?.details?.validationErrors ?? [];
    outcome.textContent =
      answer.message ?? violations.map((violation) => `${violation.path} ${violation.message}`).join("; ");
    if (!outcome.textContent) outcome.textContent = answer.error?.message ?? "Please try again.";
    form.hidden = response.ok;
  } catch {
    outcome.textContent = "The service can't be reached. Please try again.";
  }
});
