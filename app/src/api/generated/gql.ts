/* eslint-disable */
import * as types from './graphql';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation Register($input: RegisterInput!) {\n    register(input: $input) {\n      user {\n        id\n      }\n    }\n  }\n": typeof types.RegisterDocument,
    "\n  mutation ForgotPassword($input: ForgotPasswordInput!) {\n    forgotPassword(input: $input) {\n      message\n    }\n  }\n": typeof types.ForgotPasswordDocument,
    "\n  query Proof {\n    security {\n      totpSince\n      hasPassword\n    }\n    identities {\n      identities {\n        id\n      }\n    }\n    passkeys {\n      passkeys {\n        id\n      }\n    }\n    instance {\n      ...WaysIn\n    }\n  }\n": typeof types.ProofDocument,
    "\n  mutation StartPasskeyProof {\n    startPasskeyProof {\n      challenge\n      options\n    }\n  }\n": typeof types.StartPasskeyProofDocument,
    "\n  mutation ConfirmAccess($input: ConfirmAccessInput!) {\n    confirmAccess(input: $input) {\n      user {\n        ...SignedIn\n      }\n      accessToken\n      expiresIn\n    }\n  }\n": typeof types.ConfirmAccessDocument,
    "\n  mutation ResetPassword($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      message\n    }\n  }\n": typeof types.ResetPasswordDocument,
    "\n  query SetupInstance {\n    instance {\n      ...WaysIn\n      baseUrl\n      isMailConfigured\n      version\n    }\n  }\n": typeof types.SetupInstanceDocument,
    "\n  mutation UndoEmailChange($input: UndoEmailChangeInput!) {\n    undoEmailChange(input: $input) {\n      message\n    }\n  }\n": typeof types.UndoEmailChangeDocument,
    "\n  mutation SendVerification {\n    sendVerification {\n      message\n    }\n  }\n": typeof types.SendVerificationDocument,
    "\n  mutation VerifyEmail($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      message\n    }\n  }\n": typeof types.VerifyEmailDocument,
    "\n  fragment WaysIn on Instance {\n    needsSetup\n    registration\n    hasPasswordLogin\n    hasPasskeys\n    companySignIn\n  }\n": typeof types.WaysInFragmentDoc,
    "\n  query SignInInstance {\n    instance {\n      ...WaysIn\n    }\n  }\n": typeof types.SignInInstanceDocument,
    "\n  fragment BreakdownPlaces on TopStats {\n    regions {\n      values {\n        clicks\n      }\n    }\n    cities {\n      values {\n        clicks\n      }\n    }\n  }\n": typeof types.BreakdownPlacesFragmentDoc,
    "\n  query Breakdown(\n    $id: ID!\n    $isOfAll: Boolean!\n    $isOfLink: Boolean!\n    $linkId: ID\n    $dimension: ClickDimension!\n    $from: DateTime!\n    $to: DateTime\n    $timeZone: TimeZone!\n    $includeBots: Boolean!\n    $filter: [ClickCondition!]\n    $found: [ClickCondition!]\n    $search: String\n    $page: Int!\n    $pageSize: Int!\n    $yearFrom: DateTime!\n    $yearTo: DateTime!\n    $withYear: Boolean!\n    $withPrevious: Boolean!\n  ) {\n    clickBreakdown(\n      linkId: $linkId\n      dimension: $dimension\n      from: $from\n      to: $to\n      includeBots: $includeBots\n      filter: $found\n      search: $search\n      page: $page\n      pageSize: $pageSize\n    ) {\n      isExact\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        value\n        clicks\n        uniques\n        bots\n      }\n    }\n    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      top {\n        ...BreakdownPlaces\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      top {\n        ...BreakdownPlaces\n      }\n    }\n    yearOfAll: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)\n      @include(if: $withYear)\n      @skip(if: $isOfLink) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    yearOfLink: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)\n      @include(if: $withYear)\n      @skip(if: $isOfAll) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    me {\n      id\n      account {\n        id\n        createdAt\n      }\n    }\n    link(id: $id) @skip(if: $isOfAll) {\n      id\n      shortUrl\n      destinationUrl\n      createdAt\n    }\n    linkRules(linkId: $id) @skip(if: $isOfAll) {\n      id\n      destinations {\n        number\n        url\n        label\n      }\n    }\n  }\n": typeof types.BreakdownDocument,
    "\n  query BreakdownLinks($from: DateTime!, $to: DateTime, $includeBots: Boolean!, $filter: [ClickCondition!], $limit: Int!) {\n    accountClickSummary(from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: $limit) {\n      links {\n        linkId\n        link {\n          id\n          slug\n          shortUrl\n          title\n        }\n      }\n    }\n  }\n": typeof types.BreakdownLinksDocument,
    "\n  fragment SummaryTotals on TotalStats {\n    clicks\n    uniques\n    bots\n  }\n": typeof types.SummaryTotalsFragmentDoc,
    "\n  fragment SummaryTops on TopStats {\n    countries {\n      ...SummaryTop\n    }\n    regions {\n      ...SummaryTop\n    }\n    cities {\n      ...SummaryTop\n    }\n    languages {\n      ...SummaryTop\n    }\n    sources {\n      ...SummaryTop\n    }\n    channels {\n      ...SummaryTop\n    }\n    referrers {\n      ...SummaryTop\n    }\n    utmSources {\n      ...SummaryTop\n    }\n    utmMediums {\n      ...SummaryTop\n    }\n    utmCampaigns {\n      ...SummaryTop\n    }\n    devices {\n      ...SummaryTop\n    }\n    browsers {\n      ...SummaryTop\n    }\n    operatingSystems {\n      ...SummaryTop\n    }\n  }\n": typeof types.SummaryTopsFragmentDoc,
    "\n  fragment SummaryTop on TopValuesStats {\n    values {\n      value\n      clicks\n    }\n    unknown\n    other\n    error\n  }\n": typeof types.SummaryTopFragmentDoc,
    "\n  query CountryData {\n    instance {\n      countryData {\n        name\n        builtAt\n        isBuiltIn\n      }\n    }\n  }\n": typeof types.CountryDataDocument,
    "\n  query ClicksByHour($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {\n    ofAll: accountClickSummary(from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {\n      from\n      series {\n        start\n        clicks\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {\n      from\n      series {\n        start\n        clicks\n      }\n    }\n  }\n": typeof types.ClicksByHourDocument,
    "\n  query ConditionLink($id: ID!) {\n    link(id: $id) {\n      id\n      slug\n      shortUrl\n      title\n    }\n  }\n": typeof types.ConditionLinkDocument,
    "\n  fragment Notes on AnnotationPageResult {\n    total\n    data {\n      ...Note\n    }\n  }\n": typeof types.NotesFragmentDoc,
    "\n  fragment Note on Annotation {\n    id\n    occurredAt\n    text\n    updatedAt\n  }\n": typeof types.NoteFragmentDoc,
    "\n  mutation CreateAnnotation($input: CreateAnnotationInput!) {\n    createAnnotation(input: $input) {\n      id\n    }\n  }\n": typeof types.CreateAnnotationDocument,
    "\n  mutation UpdateAnnotation($id: ID!, $input: UpdateAnnotationInput!) {\n    updateAnnotation(id: $id, input: $input) {\n      id\n    }\n  }\n": typeof types.UpdateAnnotationDocument,
    "\n  mutation DeleteAnnotation($id: ID!) {\n    deleteAnnotation(id: $id)\n  }\n": typeof types.DeleteAnnotationDocument,
    "\n  query ClicksByCountry($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {\n    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfLink) {\n      totals {\n        clicks\n      }\n      top {\n        countries {\n          values {\n            value\n            clicks\n          }\n        }\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfAll) {\n      totals {\n        clicks\n      }\n      top {\n        countries {\n          values {\n            value\n            clicks\n          }\n        }\n      }\n    }\n  }\n": typeof types.ClicksByCountryDocument,
    "\n  query HostApps($host: String!) {\n    hostApps(host: $host) {\n      host\n      iosApps {\n        appId\n        paths\n      }\n      androidApps {\n        packageName\n        fingerprints\n      }\n      appleFile\n      androidFile\n      updatedAt\n    }\n  }\n": typeof types.HostAppsDocument,
    "\n  mutation SetHostApps($host: String!, $input: SetHostAppsInput!) {\n    setHostApps(host: $host, input: $input) {\n      updatedAt\n    }\n  }\n": typeof types.SetHostAppsDocument,
    "\n  mutation CreatePublishableKey($input: CreatePublishableKeyInput!) {\n    createPublishableKey(input: $input) {\n      id\n    }\n  }\n": typeof types.CreatePublishableKeyDocument,
    "\n  mutation UpdatePublishableKey($id: ID!, $input: UpdatePublishableKeyInput!) {\n    updatePublishableKey(id: $id, input: $input) {\n      id\n    }\n  }\n": typeof types.UpdatePublishableKeyDocument,
    "\n  mutation DeletePublishableKey($id: ID!) {\n    deletePublishableKey(id: $id)\n  }\n": typeof types.DeletePublishableKeyDocument,
    "\n  query LinkAppPage($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n      updatedAt\n      ...LinkApps\n    }\n  }\n": typeof types.LinkAppPageDocument,
    "\n  fragment LinkApps on Link {\n    app {\n      iosUri\n      iosStoreUrl\n      androidUri\n      androidPackage\n      data\n    }\n  }\n": typeof types.LinkAppsFragmentDoc,
    "\n  mutation SetLinkApp($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      updatedAt\n      ...LinkApps\n    }\n  }\n": typeof types.SetLinkAppDocument,
    "\n  query AppsPage {\n    ...LinkHosts\n    publishableKeys {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        name\n        key\n        hosts\n        updatedAt\n      }\n    }\n  }\n": typeof types.AppsPageDocument,
    "\n  query Billing {\n    me {\n      id\n      account {\n        id\n        plan\n      }\n    }\n    plans {\n      plans {\n        ...PlanCard\n      }\n    }\n    usage {\n      ...UsageBars\n    }\n    subscription {\n      ...SubscriptionState\n    }\n    invoices {\n      invoices {\n        ...InvoiceRow\n      }\n    }\n  }\n": typeof types.BillingDocument,
    "\n  fragment InvoiceRow on Invoice {\n    id\n    number\n    status\n    currency\n    amountDue\n    createdAt\n    hostedUrl\n    pdfUrl\n  }\n": typeof types.InvoiceRowFragmentDoc,
    "\n  fragment PlanCard on Plan {\n    id\n    name\n    currency\n    monthlyPrice\n    yearlyPrice\n    intervals\n    limits {\n      links\n      domains\n      webhooks\n      apiKeys\n      requestsPerMinute\n      retentionDays\n    }\n  }\n": typeof types.PlanCardFragmentDoc,
    "\n  mutation CreateCheckout($input: CreateCheckoutInput!) {\n    createCheckout(input: $input) {\n      checkoutUrl\n    }\n  }\n": typeof types.CreateCheckoutDocument,
    "\n  mutation CreateBillingPortal {\n    createBillingPortal {\n      portalUrl\n    }\n  }\n": typeof types.CreateBillingPortalDocument,
    "\n  fragment SubscriptionState on Subscription {\n    id\n    planId\n    status\n    interval\n    currentPeriodEnd\n    cancelAtPeriodEnd\n    gracePeriodEnd\n    createdAt\n  }\n": typeof types.SubscriptionStateFragmentDoc,
    "\n  fragment UsageBars on UsageResult {\n    periodStart\n    periodEnd\n    links {\n      used\n      limit\n    }\n    clicks {\n      used\n    }\n    domains {\n      used\n      limit\n    }\n    webhooks {\n      used\n      limit\n    }\n    apiKeys {\n      used\n      limit\n    }\n    apiCalls {\n      used\n    }\n  }\n": typeof types.UsageBarsFragmentDoc,
    "\n  fragment CardTexts on Link {\n    card {\n      title\n      description\n      imageUrl\n    }\n  }\n": typeof types.CardTextsFragmentDoc,
    "\n  query CardPage($id: ID!) {\n    link(id: $id) {\n      id\n      domain\n      shortUrl\n      destinationUrl\n      updatedAt\n      ...CardTexts\n    }\n  }\n": typeof types.CardPageDocument,
    "\n  query PageMetadata($url: String!) {\n    fetchMetadata(url: $url) {\n      title\n      description\n      imageUrl\n    }\n  }\n": typeof types.PageMetadataDocument,
    "\n  mutation SetCard($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      updatedAt\n      ...CardTexts\n    }\n  }\n": typeof types.SetCardDocument,
    "\n  fragment DeliveryLine on Delivery {\n    id\n    messageId\n    event\n    batchSize\n    status\n    attemptCount\n    nextAttemptAt\n    createdAt\n    completedAt\n    attempts {\n      attemptedAt\n      statusCode\n      durationMs\n      responseStart\n      error\n    }\n  }\n": typeof types.DeliveryLineFragmentDoc,
    "\n  mutation Redeliver($webhookId: ID!, $deliveryId: ID!) {\n    redeliver(webhookId: $webhookId, deliveryId: $deliveryId) {\n      id\n    }\n  }\n": typeof types.RedeliverDocument,
    "\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      key\n      apiKey {\n        id\n        scopes\n      }\n    }\n  }\n": typeof types.CreateApiKeyDocument,
    "\n  query ApiKeys($page: Int!, $pageSize: Int!) {\n    apiKeys(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        name\n        prefix\n        scopes\n        allowedNetworks\n        createdAt\n        lastUsedAt\n        expiresAt\n        revokedAt\n      }\n    }\n    usage {\n      apiKeys {\n        used\n        limit\n      }\n    }\n  }\n": typeof types.ApiKeysDocument,
    "\n  mutation RevokeApiKey($id: ID!) {\n    revokeApiKey(id: $id)\n  }\n": typeof types.RevokeApiKeyDocument,
    "\n  query LinksToPick($search: String!) {\n    links(search: $search, pageSize: 6, sort: MOST_CLICKED) {\n      data {\n        id\n        shortUrl\n      }\n    }\n  }\n": typeof types.LinksToPickDocument,
    "\n  query LinkName($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n    }\n  }\n": typeof types.LinkNameDocument,
    "fragment SentEvent on EventPayload {\n  ... on LinkCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkExpiredEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkUsedUpEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkDeletedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkClickedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLinkClickPayload\n    }\n  }\n  ... on ImportFinishedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentImport\n    }\n  }\n  ... on DomainCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainActivatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainFailingEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainDeletedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on SubdomainClaimedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainActivatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainReleasedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on ApiKeyCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentApiKey\n    }\n  }\n  ... on ApiKeyRevokedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentApiKey\n    }\n  }\n  ... on SubscriptionUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubscription\n    }\n  }\n  ... on InvoicePaidEventPayload {\n    type\n    timestamp\n    data {\n      ...SentInvoice\n    }\n  }\n  ... on WebhookDisabledEventPayload {\n    type\n    timestamp\n    data {\n      ...SentWebhook\n    }\n  }\n  ... on WebhookTestEventPayload {\n    type\n    timestamp\n    data {\n      ...SentWebhook\n    }\n  }\n}\n\nfragment SentLink on Link {\n  id\n  destinationUrl\n  utm {\n    source\n    medium\n    campaign\n    term\n    content\n  }\n  slug\n  domain_Link: domain\n  shortUrl\n  isActive\n  state_Link: state\n  title\n  notes\n  tags\n  externalId\n  startsAt\n  expiresAt\n  expiredUrl\n  maxClicks\n  usedClicks\n  isArchived\n  forwardsQuery\n  hasPassword\n  asksFirst\n  notice\n  card {\n    title\n    description\n    imageUrl\n  }\n  app {\n    iosUri\n    iosStoreUrl\n    androidUri\n    androidPackage\n    data\n  }\n  blockedAt\n  clickCount\n  importedClicks\n  lastClickedAt\n  createdAt\n  updatedAt\n}\n\nfragment SentLinkClickPayload on LinkClickPayload {\n  click {\n    id\n    clickedAt\n    browser\n    os\n    device\n    isBot\n    referrerHost\n    country\n    language\n    utmSource\n    utmMedium\n    utmCampaign\n    utmTerm\n    utmContent\n    trigger\n    destination\n    rule\n    source\n    channel\n    linkId\n  }\n  link {\n    ...SentLink\n  }\n}\n\nfragment SentImport on Import {\n  id\n  source\n  encoding\n  hasHeader\n  columns {\n    name\n    field\n  }\n  dateFormat\n  hasUnsureDates\n  domain_Import: domain\n  isDryRun\n  state_Import: state\n  total\n  done\n  created\n  skipped\n  failed\n  resultRows\n  error\n  createdAt\n  finishedAt\n}\n\nfragment SentCustomDomain on CustomDomain {\n  id\n  domain_CustomDomain: domain\n  status_CustomDomain: status\n  verificationToken\n  dnsRecords {\n    type\n    name\n    value\n    found\n    isSet\n    problem\n  }\n  createdAt\n  updatedAt\n  activatedAt\n  failingSince\n  checkedAt\n  settings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n}\n\nfragment SentSubdomainClaim on SubdomainClaim {\n  id\n  subdomain\n  host\n  status_SubdomainClaim: status\n  claimedAt\n  updatedAt\n  activatedAt\n  settings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n}\n\nfragment SentApiKey on ApiKey {\n  id\n  name\n  prefix\n  isPersonal\n  scopes\n  allowedNetworks\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n}\n\nfragment SentSubscription on Subscription {\n  id\n  planId\n  status_Subscription: status\n  interval\n  currentPeriodStart\n  currentPeriodEnd\n  cancelAtPeriodEnd\n  gracePeriodEnd\n  createdAt\n}\n\nfragment SentInvoice on Invoice {\n  id\n  number\n  status_Invoice: status\n  currency\n  amountDue\n  amountPaid\n  createdAt\n  hostedUrl\n  pdfUrl\n}\n\nfragment SentWebhook on Webhook {\n  id\n  name\n  url\n  events\n  batch\n  linkIds\n  excludeBots\n  isActive\n  createdAt\n  updatedAt\n  failingSince\n  disabledAt\n  disabledReason\n}": typeof types.SentEventFragmentDoc,
    "\n  query DeliveryPayload($webhookId: ID!, $page: Int!, $status: DeliveryStatus) {\n    webhookDeliveries(webhookId: $webhookId, page: $page, pageSize: 1, status: $status) {\n      total\n      deliveries {\n        id\n        batchSize\n        payloads(pageSize: 100) {\n          data {\n            ...SentEvent\n          }\n        }\n      }\n    }\n  }\n": typeof types.DeliveryPayloadDocument,
    "\n  mutation TestWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      id\n    }\n  }\n": typeof types.TestWebhookDocument,
    "\n  mutation RotateWebhookSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": typeof types.RotateWebhookSecretDocument,
    "\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n": typeof types.DeleteWebhookDocument,
    "\n  fragment WebhookState on Webhook {\n    id\n    name\n    url\n    events\n    batch\n    linkIds\n    excludeBots\n    isActive\n    createdAt\n    updatedAt\n    failingSince\n    disabledAt\n    disabledReason\n  }\n": typeof types.WebhookStateFragmentDoc,
    "\n  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {\n    updateWebhook(id: $id, input: $input) {\n      ...WebhookState\n    }\n  }\n": typeof types.UpdateWebhookDocument,
    "\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      webhook {\n        id\n      }\n      secret\n    }\n  }\n": typeof types.CreateWebhookDocument,
    "\n  query WebhookPage($id: ID!, $page: Int!, $pageSize: Int!, $status: DeliveryStatus) {\n    webhook(id: $id) {\n      ...WebhookState\n      deliveries(page: $page, pageSize: $pageSize, status: $status) {\n        total\n        page\n        pageSize\n        totalPages\n        deliveries {\n          ...DeliveryLine\n        }\n      }\n    }\n  }\n": typeof types.WebhookPageDocument,
    "\n  subscription DeliveryChanged($webhookId: ID!) {\n    deliveryChanged(webhookId: $webhookId) {\n      ...DeliveryLine\n    }\n  }\n": typeof types.DeliveryChangedDocument,
    "\n  query Webhooks($page: Int!, $pageSize: Int!) {\n    webhooks(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...WebhookState\n      }\n    }\n    usage {\n      webhooks {\n        used\n        limit\n      }\n    }\n  }\n": typeof types.WebhooksDocument,
    "\n  mutation CreateDomain($input: CreateDomainInput!) {\n    createDomain(input: $input) {\n      id\n    }\n  }\n": typeof types.CreateDomainDocument,
    "\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n": typeof types.DeleteDomainDocument,
    "\n  query LinksOnDomain($domain: String!) {\n    links(domain: $domain, isArchived: null, pageSize: 1) {\n      total\n    }\n  }\n": typeof types.LinksOnDomainDocument,
    "\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      ...DomainState\n    }\n  }\n": typeof types.VerifyDomainDocument,
    "\n  fragment DomainState on CustomDomain {\n    id\n    domain\n    status\n    createdAt\n    updatedAt\n    activatedAt\n    failingSince\n    checkedAt\n    dnsRecords {\n      type\n      name\n      value\n      found\n      isSet\n      problem\n    }\n    settings {\n      ...HostFacts\n    }\n  }\n": typeof types.DomainStateFragmentDoc,
    "\n  query DomainPage($id: ID!) {\n    domain(id: $id) {\n      ...DomainState\n    }\n  }\n": typeof types.DomainPageDocument,
    "\n  subscription DomainChanged($domainId: ID!) {\n    domainChanged(domainId: $domainId) {\n      ...DomainState\n    }\n  }\n": typeof types.DomainChangedDocument,
    "\n  mutation UpdateDomain($id: ID!, $input: UpdateHostInput!) {\n    updateDomain(id: $id, input: $input) {\n      id\n    }\n  }\n": typeof types.UpdateDomainDocument,
    "\n  query Domains($page: Int!, $pageSize: Int!) {\n    domains(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        domain\n        status\n        createdAt\n        activatedAt\n        failingSince\n        checkedAt\n        dnsRecords {\n          type\n          isSet\n          problem\n        }\n      }\n    }\n    usage {\n      domains {\n        used\n        limit\n      }\n    }\n    instance {\n      ...ClaimHost\n    }\n    subdomain {\n      ...SubdomainCard\n    }\n  }\n": typeof types.DomainsDocument,
    "\n  fragment SubdomainCard on SubdomainClaim {\n    id\n    host\n    status\n    activatedAt\n    updatedAt\n    settings {\n      ...HostFacts\n    }\n  }\n": typeof types.SubdomainCardFragmentDoc,
    "\n  fragment ClaimHost on Instance {\n    baseUrl\n    subdomainHost\n  }\n": typeof types.ClaimHostFragmentDoc,
    "\n  mutation ClaimSubdomain($input: ClaimSubdomainInput!) {\n    claimSubdomain(input: $input) {\n      ...SubdomainCard\n    }\n  }\n": typeof types.ClaimSubdomainDocument,
    "\n  mutation ActivateSubdomain {\n    activateSubdomain {\n      ...SubdomainCard\n    }\n  }\n": typeof types.ActivateSubdomainDocument,
    "\n  mutation UpdateSubdomain($input: UpdateHostInput!) {\n    updateSubdomain(input: $input) {\n      id\n    }\n  }\n": typeof types.UpdateSubdomainDocument,
    "\n  mutation ReleaseSubdomain {\n    releaseSubdomain\n  }\n": typeof types.ReleaseSubdomainDocument,
    "\n  fragment HostFacts on HostSettings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n": typeof types.HostFactsFragmentDoc,
    "\n  fragment ImportErrors on ImportErrorPageResult {\n    total\n    page\n    pageSize\n    totalPages\n    data {\n      row\n      code\n      column\n      message\n      slug\n    }\n  }\n": typeof types.ImportErrorsFragmentDoc,
    "\n  query ImportPage($id: ID!, $page: Int!, $pageSize: Int!) {\n    import(id: $id) {\n      ...ImportFacts\n    }\n    importErrors(importId: $id, page: $page, pageSize: $pageSize) {\n      ...ImportErrors\n    }\n    instance {\n      ...ClaimHost\n    }\n  }\n": typeof types.ImportPageDocument,
    "\n  mutation PreviewImport($input: PreviewImportInput!) {\n    previewImport(input: $input) {\n      source\n      hasHeader\n      columns {\n        name\n        field\n        values\n      }\n      dateFormat\n      hasUnsureDates\n    }\n  }\n": typeof types.PreviewImportDocument,
    "\n  mutation StartImport($input: StartImportInput!) {\n    startImport(input: $input) {\n      id\n    }\n  }\n": typeof types.StartImportDocument,
    "\n  mutation StartApiImport($input: StartApiImportInput!) {\n    startApiImport(input: $input) {\n      id\n    }\n  }\n": typeof types.StartApiImportDocument,
    "\n  mutation AppendImport($id: ID!, $input: AppendImportInput!) {\n    appendImport(id: $id, input: $input) {\n      id\n    }\n  }\n": typeof types.AppendImportDocument,
    "\n  mutation CancelImport($id: ID!) {\n    cancelImport(id: $id) {\n      id\n    }\n  }\n": typeof types.CancelImportDocument,
    "\n  fragment ImportFacts on Import {\n    id\n    source\n    encoding\n    hasHeader\n    columns {\n      name\n      field\n    }\n    dateFormat\n    hasUnsureDates\n    resultRows\n    domain\n    isDryRun\n    state\n    total\n    done\n    created\n    skipped\n    failed\n    error\n    createdAt\n    finishedAt\n  }\n": typeof types.ImportFactsFragmentDoc,
    "\n  query Imports {\n    imports(pageSize: 50) {\n      data {\n        ...ImportFacts\n      }\n    }\n    ...LinkHosts\n  }\n": typeof types.ImportsDocument,
    "\n  fragment LinkCore on Link {\n    id\n    slug\n    domain\n    shortUrl\n    destinationUrl\n    title\n    notes\n    externalId\n    tags\n    isActive\n    state\n    startsAt\n    expiresAt\n    expiredUrl\n    maxClicks\n    usedClicks\n    isArchived\n    forwardsQuery\n    hasPassword\n    asksFirst\n    notice\n    updatedAt\n    utm {\n      source\n      medium\n      campaign\n      term\n      content\n    }\n  }\n": typeof types.LinkCoreFragmentDoc,
    "\n  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      slug\n      shortUrl\n      destinationUrl\n      isActive\n    }\n  }\n": typeof types.UpdateLinkDocument,
    "\n  query LinkPage($id: ID!) {\n    link(id: $id) {\n      ...LinkCore\n      clickCount\n      importedClicks\n      lastClickedAt\n      createdAt\n      app {\n        data\n      }\n      card {\n        title\n      }\n      clicks(limit: 20) {\n        data {\n          id\n          clickedAt\n        }\n      }\n    }\n    linkRules(linkId: $id) {\n      id\n      rules {\n        number\n      }\n      destinations {\n        number\n        url\n        label\n      }\n    }\n    linkSplit(linkId: $id) {\n      id\n      parts {\n        weight\n      }\n    }\n  }\n": typeof types.LinkPageDocument,
    "\n  subscription LinkClicked($linkId: ID!) {\n    clickRecorded(linkId: $linkId) {\n      ...ClickLine\n    }\n  }\n": typeof types.LinkClickedDocument,
    "\n  fragment LinkHosts on Query {\n    instance {\n      baseUrl\n      subdomainHost\n    }\n    domains(pageSize: 100) {\n      data {\n        id\n        domain\n        status\n      }\n    }\n    subdomain {\n      id\n      host\n      status\n    }\n  }\n": typeof types.LinkHostsFragmentDoc,
    "\n  query LinkForm {\n    ...LinkHosts\n    utmTemplates(pageSize: 100) {\n      data {\n        ...UtmTemplateFields\n      }\n    }\n  }\n": typeof types.LinkFormDocument,
    "\n  query KnownLinks($destinationUrl: String!, $domain: String!) {\n    links(destinationUrl: $destinationUrl, domain: $domain, state: ACTIVE, isArchived: null, sort: OLDEST, pageSize: 20) {\n      data {\n        id\n        title\n        shortUrl\n        expiresAt\n        maxClicks\n      }\n    }\n  }\n": typeof types.KnownLinksDocument,
    "\n  query Links(\n    $page: Int!\n    $pageSize: Int!\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n    $sort: LinkSort!\n  ) {\n    links(\n      page: $page\n      pageSize: $pageSize\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n      sort: $sort\n    ) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...LinkRow\n      }\n    }\n    ...LinkHosts\n  }\n": typeof types.LinksDocument,
    "\n  query NewestLink(\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n  ) {\n    links(\n      pageSize: 1\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n    ) {\n      total\n      data {\n        id\n      }\n    }\n  }\n": typeof types.NewestLinkDocument,
    "\n  query ArchivedLinks {\n    links(isArchived: true, pageSize: 1) {\n      total\n    }\n  }\n": typeof types.ArchivedLinksDocument,
    "\n  subscription LinksClicks {\n    accountClicks {\n      links {\n        linkId\n        clicks\n      }\n    }\n  }\n": typeof types.LinksClicksDocument,
    "\n  fragment WhyNot on ErrorPayload {\n    code\n    message\n    validationErrors {\n      path\n      message\n    }\n  }\n": typeof types.WhyNotFragmentDoc,
    "\n  query ChosenLinks(\n    $page: Int!\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n  ) {\n    links(\n      page: $page\n      pageSize: 100\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n      sort: OLDEST\n    ) {\n      totalPages\n      data {\n        id\n        shortUrl\n        tags\n        isActive\n        isArchived\n      }\n    }\n  }\n": typeof types.ChosenLinksDocument,
    "\n  mutation UpdateLinks($input: UpdateLinksInput!) {\n    updateLinks(input: $input) {\n      results {\n        linkId\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n": typeof types.UpdateLinksDocument,
    "\n  mutation DeleteLinks($input: DeleteLinksInput!) {\n    deleteLinks(input: $input) {\n      results {\n        linkId\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n": typeof types.DeleteLinksDocument,
    "\n  mutation CreateLinks($input: CreateLinksInput!) {\n    createLinks(input: $input) {\n      results {\n        link {\n          id\n          shortUrl\n          destinationUrl\n        }\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n": typeof types.CreateLinksDocument,
    "\n  mutation CreateLink($input: CreateLinkInput!) {\n    createLink(input: $input) {\n      ...LinkCore\n    }\n  }\n": typeof types.CreateLinkDocument,
    "\n  query NewLink {\n    ...LinkHosts\n    utmTemplates(pageSize: 100) {\n      data {\n        ...UtmTemplateFields\n      }\n    }\n    usage {\n      links {\n        used\n        limit\n      }\n    }\n  }\n": typeof types.NewLinkDocument,
    "\n  subscription NewLinkClicked($linkId: ID!) {\n    clickRecorded(linkId: $linkId) {\n      id\n    }\n  }\n": typeof types.NewLinkClickedDocument,
    "\n  query LinkRehearsal($id: ID!, $input: RehearseLinkInput!) {\n    rehearseLink(linkId: $id, input: $input) {\n      visits\n      bots\n      visitsPerDay\n      phases {\n        startsAt\n        outcomes {\n          outcome\n          visits\n          bots\n        }\n      }\n      rules {\n        rule\n        name\n        visits\n        bots\n      }\n      notes\n    }\n  }\n": typeof types.LinkRehearsalDocument,
    "\n  query LinkSummary(\n    $id: ID!\n    $from: DateTime!\n    $to: DateTime\n    $interval: Interval!\n    $timeZone: TimeZone!\n    $includeBots: Boolean!\n    $filter: [ClickCondition!]\n    $yearFrom: DateTime!\n    $yearTo: DateTime!\n    $withYear: Boolean!\n    $withPrevious: Boolean!\n  ) {\n    year: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    annotations(linkId: $id, from: $from, to: $to, pageSize: 100) {\n      ...Notes\n    }\n    clickSummary(\n      linkId: $id\n      from: $from\n      to: $to\n      interval: $interval\n      timeZone: $timeZone\n      includeBots: $includeBots\n      filter: $filter\n      limit: 8\n    ) {\n      isExact\n      from\n      to\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      series {\n        start\n        clicks\n        uniques\n      }\n      top {\n        ...SummaryTops\n        destinations {\n          ...SummaryTop\n        }\n        triggers {\n          ...SummaryTop\n        }\n      }\n    }\n    clicks(linkId: $id, from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: 50) {\n      data {\n        ...ClickLine\n      }\n    }\n  }\n": typeof types.LinkSummaryDocument,
    "\n  fragment ClickLine on ClickEvent {\n    id\n    clickedAt\n    browser\n    os\n    device\n    isBot\n    referrerHost\n    country\n  }\n": typeof types.ClickLineFragmentDoc,
    "\n  fragment LinkRow on Link {\n    ...LinkCore\n    clickCount\n    importedClicks\n    createdAt\n    clickSeries(days: 14) {\n      clicks\n    }\n  }\n": typeof types.LinkRowFragmentDoc,
    "\n  query SlugAvailability($slug: String!, $domain: String!, $linkId: ID) {\n    slugAvailability(slug: $slug, domain: $domain, linkId: $linkId) {\n      state\n    }\n  }\n": typeof types.SlugAvailabilityDocument,
    "\n  mutation InviteMember($input: InviteMemberInput!) {\n    inviteMember(input: $input) {\n      id\n    }\n  }\n": typeof types.InviteMemberDocument,
    "\n  mutation UpdateMember($userId: ID!, $input: UpdateMemberInput!) {\n    updateMember(id: $userId, input: $input) {\n      userId\n    }\n  }\n": typeof types.UpdateMemberDocument,
    "\n  mutation RemoveMember($userId: ID!) {\n    removeMember(id: $userId)\n  }\n": typeof types.RemoveMemberDocument,
    "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      id\n    }\n  }\n": typeof types.UpdateAccountDocument,
    "\n  mutation LeaveAccount {\n    leaveAccount {\n      message\n    }\n  }\n": typeof types.LeaveAccountDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": typeof types.AcceptInvitationDocument,
    "\n  query Members($page: Int!, $pageSize: Int!, $isRead: Boolean!, $isManaged: Boolean!) {\n    me {\n      account {\n        id\n        name\n      }\n    }\n    members(page: $page, pageSize: $pageSize) @include(if: $isRead) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        userId\n        name\n        email\n        role\n        joinedAt\n      }\n    }\n    invitations(pageSize: 100) @include(if: $isManaged) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        email\n        role\n        expiresAt\n      }\n    }\n    transfers(pageSize: 100) @include(if: $isManaged) {\n      ...Transfers\n    }\n  }\n": typeof types.MembersDocument,
    "\n  mutation RevokeInvitation($id: ID!) {\n    revokeInvitation(id: $id)\n  }\n": typeof types.RevokeInvitationDocument,
    "\n  query Overview($from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!, $isManaged: Boolean!) {\n    year: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    annotations(from: $from, to: $to, pageSize: 100) {\n      ...Notes\n    }\n    accountClickSummary(\n      from: $from\n      to: $to\n      interval: $interval\n      timeZone: $timeZone\n      includeBots: $includeBots\n      filter: $filter\n      limit: 8\n    ) {\n      isExact\n      from\n      to\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      series {\n        start\n        clicks\n        uniques\n      }\n      top {\n        ...SummaryTops\n      }\n      links {\n        linkId\n        clicks\n        link {\n          id\n          slug\n          shortUrl\n          title\n        }\n      }\n      linksOther\n      linksError\n    }\n    me {\n      id\n      account {\n        id\n        createdAt\n      }\n    }\n    usage {\n      links {\n        used\n      }\n      domains {\n        used\n      }\n      apiKeys {\n        used\n      }\n    }\n    transfers(pageSize: 100) @include(if: $isManaged) {\n      data {\n        id\n        state\n        toAccount {\n          id\n        }\n      }\n    }\n  }\n": typeof types.OverviewDocument,
    "\n  subscription OverviewClicks {\n    accountClicks {\n      total\n    }\n  }\n": typeof types.OverviewClicksDocument,
    "\n  mutation CreateReport($input: CreateReportInput!) {\n    createReport(input: $input) {\n      id\n      url\n    }\n  }\n": typeof types.CreateReportDocument,
    "\n  mutation UpdateReport($id: ID!, $input: UpdateReportInput!) {\n    updateReport(id: $id, input: $input) {\n      id\n      url\n    }\n  }\n": typeof types.UpdateReportDocument,
    "\n  fragment ReportRow on Report {\n    id\n    name\n    linkId\n    link {\n      id\n      slug\n      shortUrl\n      title\n    }\n    filter {\n      dimension\n      operator\n      values\n    }\n    period\n    back\n    from\n    to\n    includeBots\n    panels\n    showsDestinations\n    embedOrigins\n    hasPassword\n    expiresAt\n    isShared\n    url\n    updatedAt\n  }\n": typeof types.ReportRowFragmentDoc,
    "\n  query Reports($page: Int!, $pageSize: Int!) {\n    reports(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...ReportRow\n      }\n    }\n  }\n": typeof types.ReportsDocument,
    "\n  mutation StopReport($id: ID!) {\n    updateReport(id: $id, input: { isShared: false }) {\n      id\n    }\n  }\n": typeof types.StopReportDocument,
    "\n  mutation DeleteReport($id: ID!) {\n    deleteReport(id: $id)\n  }\n": typeof types.DeleteReportDocument,
    "\n  fragment RulesShown on LinkRules {\n    id\n    updatedAt\n    rules {\n      number\n      name\n      conditions {\n        kind\n        values\n        key\n        negated\n      }\n      destination {\n        url\n      }\n      split {\n        destination {\n          url\n          label\n        }\n        weight\n      }\n    }\n    warnings {\n      rule\n      condition\n      reason\n    }\n  }\n": typeof types.RulesShownFragmentDoc,
    "\n  fragment SplitShown on LinkSplit {\n    id\n    updatedAt\n    autoStopsAt\n    parts {\n      destination {\n        url\n        label\n      }\n      weight\n    }\n  }\n": typeof types.SplitShownFragmentDoc,
    "\n  query RulesPage($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n      destinationUrl\n      updatedAt\n    }\n    linkRules(linkId: $id) {\n      ...RulesShown\n    }\n    linkSplit(linkId: $id) {\n      ...SplitShown\n    }\n  }\n": typeof types.RulesPageDocument,
    "\n  query Rehearsal($id: ID!, $input: RehearseRulesInput!) {\n    rehearseRules(linkId: $id, input: $input) {\n      from\n      visits\n      outcomes {\n        rule\n        visits\n        bots\n        undecided\n      }\n      unknown {\n        rule\n        condition\n        reason\n      }\n    }\n  }\n": typeof types.RehearsalDocument,
    "\n  query SplitReport($id: ID!, $rule: Int) {\n    splitReport(linkId: $id, rule: $rule) {\n      from\n      isUneven\n      parts {\n        destination {\n          number\n          url\n          label\n        }\n        expectedShare\n        clicks\n        visitors\n        share {\n          share\n          low\n          high\n        }\n      }\n    }\n  }\n": typeof types.SplitReportDocument,
    "\n  mutation SetLinkRules($id: ID!, $input: SetLinkRulesInput!) {\n    setLinkRules(linkId: $id, input: $input) {\n      ...RulesShown\n    }\n  }\n": typeof types.SetLinkRulesDocument,
    "\n  mutation SetLinkSplit($id: ID!, $input: SetLinkSplitInput!) {\n    setLinkSplit(linkId: $id, input: $input) {\n      ...SplitShown\n    }\n  }\n": typeof types.SetLinkSplitDocument,
    "\n  query ExplainVisit($id: ID!, $input: ExplainRedirectInput!) {\n    explainRedirect(linkId: $id, input: $input) {\n      state\n      answer\n      rule\n      isSplit\n      finalUrl\n      rules {\n        number\n        name\n        result\n        failedCondition\n      }\n    }\n  }\n": typeof types.ExplainVisitDocument,
    "\n  mutation SwitchAccount($input: SwitchAccountInput!) {\n    switchAccount(input: $input) {\n      accessToken\n      expiresIn\n      user {\n        ...SignedIn\n      }\n    }\n  }\n": typeof types.SwitchAccountDocument,
    "\n  fragment SignedIn on User {\n    id\n    email\n    name\n    createdAt\n    emailVerifiedAt\n    pendingEmail\n  }\n": typeof types.SignedInFragmentDoc,
    "\n  query WhatDies($hasBilling: Boolean!) {\n    usage {\n      links {\n        used\n      }\n      domains {\n        used\n      }\n      webhooks {\n        used\n      }\n      apiKeys {\n        used\n      }\n    }\n    subscription @include(if: $hasBilling) {\n      id\n      planId\n    }\n    plans @include(if: $hasBilling) {\n      plans {\n        id\n        name\n      }\n    }\n  }\n": typeof types.WhatDiesDocument,
    "\n  mutation DeleteMe($input: DeleteMeInput!) {\n    deleteMe(input: $input)\n  }\n": typeof types.DeleteMeDocument,
    "\n  fragment ExportLinks on LinkPageResult {\n    total\n    data {\n      id\n      shortUrl\n      clickCount\n    }\n  }\n": typeof types.ExportLinksFragmentDoc,
    "\n  fragment IdentityRow on Identity {\n    id\n    provider\n    email\n    createdAt\n    lastUsedAt\n  }\n": typeof types.IdentityRowFragmentDoc,
    "\n  mutation RemoveIdentity($id: ID!) {\n    removeIdentity(id: $id)\n  }\n": typeof types.RemoveIdentityDocument,
    "\n  fragment PasskeyRow on Passkey {\n    id\n    name\n    createdAt\n    lastUsedAt\n  }\n": typeof types.PasskeyRowFragmentDoc,
    "\n  mutation StartPasskey {\n    startPasskey {\n      challenge\n      options\n    }\n  }\n": typeof types.StartPasskeyDocument,
    "\n  mutation AddPasskey($input: AddPasskeyInput!) {\n    addPasskey(input: $input) {\n      recoveryCodes\n    }\n  }\n": typeof types.AddPasskeyDocument,
    "\n  mutation RemovePasskey($id: ID!) {\n    removePasskey(id: $id)\n  }\n": typeof types.RemovePasskeyDocument,
    "\n  mutation UpdateMe($input: UpdateMeInput!) {\n    updateMe(input: $input) {\n      user {\n        ...SignedIn\n      }\n      accessToken\n      expiresIn\n    }\n  }\n": typeof types.UpdateMeDocument,
    "\n  fragment SecurityState on Security {\n    totpSince\n    hasPassword\n    recoveryCodesLeft\n  }\n": typeof types.SecurityStateFragmentDoc,
    "\n  mutation StartTotp {\n    startTotp {\n      secret\n      uri\n    }\n  }\n": typeof types.StartTotpDocument,
    "\n  mutation RemoveTotp {\n    removeTotp {\n      message\n    }\n  }\n": typeof types.RemoveTotpDocument,
    "\n  mutation RenewRecoveryCodes {\n    renewRecoveryCodes {\n      recoveryCodes\n    }\n  }\n": typeof types.RenewRecoveryCodesDocument,
    "\n  fragment SessionRow on Session {\n    id\n    browser\n    os\n    country\n    createdAt\n    lastSeenAt\n    isCurrent\n  }\n": typeof types.SessionRowFragmentDoc,
    "\n  mutation EndSession($id: ID!) {\n    endSession(id: $id)\n  }\n": typeof types.EndSessionDocument,
    "\n  mutation EndOtherSessions {\n    endOtherSessions {\n      endedCount\n    }\n  }\n": typeof types.EndOtherSessionsDocument,
    "\n  mutation ConfirmTotp($input: ConfirmTotpInput!) {\n    confirmTotp(input: $input) {\n      recoveryCodes\n    }\n  }\n": typeof types.ConfirmTotpDocument,
    "\n  query Settings($hasLinks: Boolean!) {\n    me {\n      ...SignedIn\n    }\n    security {\n      ...SecurityState\n      provedAt\n    }\n    passkeys {\n      passkeys {\n        ...PasskeyRow\n      }\n    }\n    identities {\n      identities {\n        ...IdentityRow\n      }\n    }\n    instance {\n      companySignIn\n      hasPasskeys\n      hasPasswordLogin\n    }\n    sessions {\n      sessions {\n        ...SessionRow\n      }\n    }\n    links(isArchived: null, pageSize: 100, sort: MOST_CLICKED) @include(if: $hasLinks) {\n      ...ExportLinks\n    }\n  }\n": typeof types.SettingsDocument,
    "\n  query Mail {\n    instance {\n      isMailConfigured\n    }\n  }\n": typeof types.MailDocument,
    "\n  query PaletteLinks($search: String!) {\n    links(search: $search, pageSize: 8, sort: MOST_CLICKED) {\n      data {\n        id\n        shortUrl\n        destinationUrl\n        title\n      }\n    }\n  }\n": typeof types.PaletteLinksDocument,
    "\n  query Workspaces {\n    me {\n      account {\n        id\n        name\n      }\n      memberships {\n        account {\n          id\n          name\n        }\n      }\n    }\n  }\n": typeof types.WorkspacesDocument,
    "\n  mutation CreateTag($input: CreateTagInput!) {\n    createTag(input: $input) {\n      ...TagRow\n    }\n  }\n": typeof types.CreateTagDocument,
    "\n  mutation RenameTag($id: ID!, $input: UpdateTagInput!) {\n    updateTag(id: $id, input: $input) {\n      ...TagRow\n    }\n  }\n": typeof types.RenameTagDocument,
    "\n  mutation MergeTag($id: ID!, $input: MergeTagInput!) {\n    mergeTag(id: $id, input: $input) {\n      ...TagRow\n    }\n  }\n": typeof types.MergeTagDocument,
    "\n  mutation DeleteTag($id: ID!) {\n    deleteTag(id: $id)\n  }\n": typeof types.DeleteTagDocument,
    "\n  query TagsNamed($search: String!, $page: Int!) {\n    tags(search: $search, page: $page, pageSize: 100) {\n      totalPages\n      data {\n        id\n        name\n      }\n    }\n  }\n": typeof types.TagsNamedDocument,
    "\n  fragment TagRow on Tag {\n    id\n    name\n    linkCount\n    createdAt\n    updatedAt\n  }\n": typeof types.TagRowFragmentDoc,
    "\n  query Tags($page: Int!, $pageSize: Int!, $search: String) {\n    tags(page: $page, pageSize: $pageSize, search: $search) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...TagRow\n      }\n    }\n  }\n": typeof types.TagsDocument,
    "\n  query SuggestedTags($search: String!) {\n    tags(search: $search, pageSize: 20) {\n      data {\n        id\n        name\n      }\n    }\n  }\n": typeof types.SuggestedTagsDocument,
    "\n  query TransferChoices($domain: String, $isDomain: Boolean!) {\n    me {\n      memberships {\n        account {\n          id\n          name\n        }\n      }\n    }\n    instance {\n      baseUrl\n    }\n    links(domain: $domain, isArchived: null, pageSize: 1) @include(if: $isDomain) {\n      total\n    }\n  }\n": typeof types.TransferChoicesDocument,
    "\n  mutation OfferTransfer($input: OfferTransferInput!) {\n    offerTransfer(input: $input) {\n      id\n      toAccount {\n        id\n        name\n      }\n    }\n  }\n": typeof types.OfferTransferDocument,
    "\n  fragment TransferFacts on Transfer {\n    id\n    fromAccount {\n      id\n      name\n    }\n    toAccount {\n      id\n      name\n    }\n    domain\n    shortUrls\n    linkCount\n    movedLinks\n    state\n    expiresAt\n  }\n": typeof types.TransferFactsFragmentDoc,
    "\n  fragment Transfers on TransferPageResult {\n    total\n    data {\n      ...TransferFacts\n    }\n  }\n": typeof types.TransfersFragmentDoc,
    "\n  mutation AcceptTransfer($id: ID!) {\n    acceptTransfer(id: $id) {\n      id\n    }\n  }\n": typeof types.AcceptTransferDocument,
    "\n  mutation DeleteTransfer($id: ID!) {\n    deleteTransfer(id: $id)\n  }\n": typeof types.DeleteTransferDocument,
    "\n  mutation CreateUtmTemplate($input: CreateUtmTemplateInput!) {\n    createUtmTemplate(input: $input) {\n      id\n    }\n  }\n": typeof types.CreateUtmTemplateDocument,
    "\n  mutation UpdateUtmTemplate($id: ID!, $input: UpdateUtmTemplateInput!) {\n    updateUtmTemplate(id: $id, input: $input) {\n      id\n    }\n  }\n": typeof types.UpdateUtmTemplateDocument,
    "\n  mutation DeleteUtmTemplate($id: ID!) {\n    deleteUtmTemplate(id: $id)\n  }\n": typeof types.DeleteUtmTemplateDocument,
    "\n  query UtmTemplates($page: Int!, $pageSize: Int!) {\n    utmTemplates(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...UtmTemplateFields\n      }\n    }\n  }\n": typeof types.UtmTemplatesDocument,
    "\n  fragment UtmTemplateFields on UtmTemplate {\n    id\n    name\n    source\n    medium\n    campaign\n    term\n    content\n    updatedAt\n  }\n": typeof types.UtmTemplateFieldsFragmentDoc,
    "\n  mutation SetHostPages($host: String!, $input: SetHostPagesInput!) {\n    setHostPages(host: $host, input: $input) {\n      updatedAt\n    }\n  }\n": typeof types.SetHostPagesDocument,
    "\n  query VisitorPages {\n    ...LinkHosts\n  }\n": typeof types.VisitorPagesDocument,
    "\n  query HostPages($host: String!) {\n    hostPages(host: $host) {\n      host\n      accentColor\n      backgroundColor\n      logoImageId\n      logoUrl\n      texts {\n        page\n        language\n        title\n        text\n      }\n      updatedAt\n    }\n  }\n": typeof types.HostPagesDocument,
};
const documents: Documents = {
    "\n  mutation Register($input: RegisterInput!) {\n    register(input: $input) {\n      user {\n        id\n      }\n    }\n  }\n": types.RegisterDocument,
    "\n  mutation ForgotPassword($input: ForgotPasswordInput!) {\n    forgotPassword(input: $input) {\n      message\n    }\n  }\n": types.ForgotPasswordDocument,
    "\n  query Proof {\n    security {\n      totpSince\n      hasPassword\n    }\n    identities {\n      identities {\n        id\n      }\n    }\n    passkeys {\n      passkeys {\n        id\n      }\n    }\n    instance {\n      ...WaysIn\n    }\n  }\n": types.ProofDocument,
    "\n  mutation StartPasskeyProof {\n    startPasskeyProof {\n      challenge\n      options\n    }\n  }\n": types.StartPasskeyProofDocument,
    "\n  mutation ConfirmAccess($input: ConfirmAccessInput!) {\n    confirmAccess(input: $input) {\n      user {\n        ...SignedIn\n      }\n      accessToken\n      expiresIn\n    }\n  }\n": types.ConfirmAccessDocument,
    "\n  mutation ResetPassword($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      message\n    }\n  }\n": types.ResetPasswordDocument,
    "\n  query SetupInstance {\n    instance {\n      ...WaysIn\n      baseUrl\n      isMailConfigured\n      version\n    }\n  }\n": types.SetupInstanceDocument,
    "\n  mutation UndoEmailChange($input: UndoEmailChangeInput!) {\n    undoEmailChange(input: $input) {\n      message\n    }\n  }\n": types.UndoEmailChangeDocument,
    "\n  mutation SendVerification {\n    sendVerification {\n      message\n    }\n  }\n": types.SendVerificationDocument,
    "\n  mutation VerifyEmail($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      message\n    }\n  }\n": types.VerifyEmailDocument,
    "\n  fragment WaysIn on Instance {\n    needsSetup\n    registration\n    hasPasswordLogin\n    hasPasskeys\n    companySignIn\n  }\n": types.WaysInFragmentDoc,
    "\n  query SignInInstance {\n    instance {\n      ...WaysIn\n    }\n  }\n": types.SignInInstanceDocument,
    "\n  fragment BreakdownPlaces on TopStats {\n    regions {\n      values {\n        clicks\n      }\n    }\n    cities {\n      values {\n        clicks\n      }\n    }\n  }\n": types.BreakdownPlacesFragmentDoc,
    "\n  query Breakdown(\n    $id: ID!\n    $isOfAll: Boolean!\n    $isOfLink: Boolean!\n    $linkId: ID\n    $dimension: ClickDimension!\n    $from: DateTime!\n    $to: DateTime\n    $timeZone: TimeZone!\n    $includeBots: Boolean!\n    $filter: [ClickCondition!]\n    $found: [ClickCondition!]\n    $search: String\n    $page: Int!\n    $pageSize: Int!\n    $yearFrom: DateTime!\n    $yearTo: DateTime!\n    $withYear: Boolean!\n    $withPrevious: Boolean!\n  ) {\n    clickBreakdown(\n      linkId: $linkId\n      dimension: $dimension\n      from: $from\n      to: $to\n      includeBots: $includeBots\n      filter: $found\n      search: $search\n      page: $page\n      pageSize: $pageSize\n    ) {\n      isExact\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        value\n        clicks\n        uniques\n        bots\n      }\n    }\n    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      top {\n        ...BreakdownPlaces\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      top {\n        ...BreakdownPlaces\n      }\n    }\n    yearOfAll: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)\n      @include(if: $withYear)\n      @skip(if: $isOfLink) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    yearOfLink: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)\n      @include(if: $withYear)\n      @skip(if: $isOfAll) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    me {\n      id\n      account {\n        id\n        createdAt\n      }\n    }\n    link(id: $id) @skip(if: $isOfAll) {\n      id\n      shortUrl\n      destinationUrl\n      createdAt\n    }\n    linkRules(linkId: $id) @skip(if: $isOfAll) {\n      id\n      destinations {\n        number\n        url\n        label\n      }\n    }\n  }\n": types.BreakdownDocument,
    "\n  query BreakdownLinks($from: DateTime!, $to: DateTime, $includeBots: Boolean!, $filter: [ClickCondition!], $limit: Int!) {\n    accountClickSummary(from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: $limit) {\n      links {\n        linkId\n        link {\n          id\n          slug\n          shortUrl\n          title\n        }\n      }\n    }\n  }\n": types.BreakdownLinksDocument,
    "\n  fragment SummaryTotals on TotalStats {\n    clicks\n    uniques\n    bots\n  }\n": types.SummaryTotalsFragmentDoc,
    "\n  fragment SummaryTops on TopStats {\n    countries {\n      ...SummaryTop\n    }\n    regions {\n      ...SummaryTop\n    }\n    cities {\n      ...SummaryTop\n    }\n    languages {\n      ...SummaryTop\n    }\n    sources {\n      ...SummaryTop\n    }\n    channels {\n      ...SummaryTop\n    }\n    referrers {\n      ...SummaryTop\n    }\n    utmSources {\n      ...SummaryTop\n    }\n    utmMediums {\n      ...SummaryTop\n    }\n    utmCampaigns {\n      ...SummaryTop\n    }\n    devices {\n      ...SummaryTop\n    }\n    browsers {\n      ...SummaryTop\n    }\n    operatingSystems {\n      ...SummaryTop\n    }\n  }\n": types.SummaryTopsFragmentDoc,
    "\n  fragment SummaryTop on TopValuesStats {\n    values {\n      value\n      clicks\n    }\n    unknown\n    other\n    error\n  }\n": types.SummaryTopFragmentDoc,
    "\n  query CountryData {\n    instance {\n      countryData {\n        name\n        builtAt\n        isBuiltIn\n      }\n    }\n  }\n": types.CountryDataDocument,
    "\n  query ClicksByHour($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {\n    ofAll: accountClickSummary(from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {\n      from\n      series {\n        start\n        clicks\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {\n      from\n      series {\n        start\n        clicks\n      }\n    }\n  }\n": types.ClicksByHourDocument,
    "\n  query ConditionLink($id: ID!) {\n    link(id: $id) {\n      id\n      slug\n      shortUrl\n      title\n    }\n  }\n": types.ConditionLinkDocument,
    "\n  fragment Notes on AnnotationPageResult {\n    total\n    data {\n      ...Note\n    }\n  }\n": types.NotesFragmentDoc,
    "\n  fragment Note on Annotation {\n    id\n    occurredAt\n    text\n    updatedAt\n  }\n": types.NoteFragmentDoc,
    "\n  mutation CreateAnnotation($input: CreateAnnotationInput!) {\n    createAnnotation(input: $input) {\n      id\n    }\n  }\n": types.CreateAnnotationDocument,
    "\n  mutation UpdateAnnotation($id: ID!, $input: UpdateAnnotationInput!) {\n    updateAnnotation(id: $id, input: $input) {\n      id\n    }\n  }\n": types.UpdateAnnotationDocument,
    "\n  mutation DeleteAnnotation($id: ID!) {\n    deleteAnnotation(id: $id)\n  }\n": types.DeleteAnnotationDocument,
    "\n  query ClicksByCountry($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {\n    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfLink) {\n      totals {\n        clicks\n      }\n      top {\n        countries {\n          values {\n            value\n            clicks\n          }\n        }\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfAll) {\n      totals {\n        clicks\n      }\n      top {\n        countries {\n          values {\n            value\n            clicks\n          }\n        }\n      }\n    }\n  }\n": types.ClicksByCountryDocument,
    "\n  query HostApps($host: String!) {\n    hostApps(host: $host) {\n      host\n      iosApps {\n        appId\n        paths\n      }\n      androidApps {\n        packageName\n        fingerprints\n      }\n      appleFile\n      androidFile\n      updatedAt\n    }\n  }\n": types.HostAppsDocument,
    "\n  mutation SetHostApps($host: String!, $input: SetHostAppsInput!) {\n    setHostApps(host: $host, input: $input) {\n      updatedAt\n    }\n  }\n": types.SetHostAppsDocument,
    "\n  mutation CreatePublishableKey($input: CreatePublishableKeyInput!) {\n    createPublishableKey(input: $input) {\n      id\n    }\n  }\n": types.CreatePublishableKeyDocument,
    "\n  mutation UpdatePublishableKey($id: ID!, $input: UpdatePublishableKeyInput!) {\n    updatePublishableKey(id: $id, input: $input) {\n      id\n    }\n  }\n": types.UpdatePublishableKeyDocument,
    "\n  mutation DeletePublishableKey($id: ID!) {\n    deletePublishableKey(id: $id)\n  }\n": types.DeletePublishableKeyDocument,
    "\n  query LinkAppPage($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n      updatedAt\n      ...LinkApps\n    }\n  }\n": types.LinkAppPageDocument,
    "\n  fragment LinkApps on Link {\n    app {\n      iosUri\n      iosStoreUrl\n      androidUri\n      androidPackage\n      data\n    }\n  }\n": types.LinkAppsFragmentDoc,
    "\n  mutation SetLinkApp($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      updatedAt\n      ...LinkApps\n    }\n  }\n": types.SetLinkAppDocument,
    "\n  query AppsPage {\n    ...LinkHosts\n    publishableKeys {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        name\n        key\n        hosts\n        updatedAt\n      }\n    }\n  }\n": types.AppsPageDocument,
    "\n  query Billing {\n    me {\n      id\n      account {\n        id\n        plan\n      }\n    }\n    plans {\n      plans {\n        ...PlanCard\n      }\n    }\n    usage {\n      ...UsageBars\n    }\n    subscription {\n      ...SubscriptionState\n    }\n    invoices {\n      invoices {\n        ...InvoiceRow\n      }\n    }\n  }\n": types.BillingDocument,
    "\n  fragment InvoiceRow on Invoice {\n    id\n    number\n    status\n    currency\n    amountDue\n    createdAt\n    hostedUrl\n    pdfUrl\n  }\n": types.InvoiceRowFragmentDoc,
    "\n  fragment PlanCard on Plan {\n    id\n    name\n    currency\n    monthlyPrice\n    yearlyPrice\n    intervals\n    limits {\n      links\n      domains\n      webhooks\n      apiKeys\n      requestsPerMinute\n      retentionDays\n    }\n  }\n": types.PlanCardFragmentDoc,
    "\n  mutation CreateCheckout($input: CreateCheckoutInput!) {\n    createCheckout(input: $input) {\n      checkoutUrl\n    }\n  }\n": types.CreateCheckoutDocument,
    "\n  mutation CreateBillingPortal {\n    createBillingPortal {\n      portalUrl\n    }\n  }\n": types.CreateBillingPortalDocument,
    "\n  fragment SubscriptionState on Subscription {\n    id\n    planId\n    status\n    interval\n    currentPeriodEnd\n    cancelAtPeriodEnd\n    gracePeriodEnd\n    createdAt\n  }\n": types.SubscriptionStateFragmentDoc,
    "\n  fragment UsageBars on UsageResult {\n    periodStart\n    periodEnd\n    links {\n      used\n      limit\n    }\n    clicks {\n      used\n    }\n    domains {\n      used\n      limit\n    }\n    webhooks {\n      used\n      limit\n    }\n    apiKeys {\n      used\n      limit\n    }\n    apiCalls {\n      used\n    }\n  }\n": types.UsageBarsFragmentDoc,
    "\n  fragment CardTexts on Link {\n    card {\n      title\n      description\n      imageUrl\n    }\n  }\n": types.CardTextsFragmentDoc,
    "\n  query CardPage($id: ID!) {\n    link(id: $id) {\n      id\n      domain\n      shortUrl\n      destinationUrl\n      updatedAt\n      ...CardTexts\n    }\n  }\n": types.CardPageDocument,
    "\n  query PageMetadata($url: String!) {\n    fetchMetadata(url: $url) {\n      title\n      description\n      imageUrl\n    }\n  }\n": types.PageMetadataDocument,
    "\n  mutation SetCard($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      updatedAt\n      ...CardTexts\n    }\n  }\n": types.SetCardDocument,
    "\n  fragment DeliveryLine on Delivery {\n    id\n    messageId\n    event\n    batchSize\n    status\n    attemptCount\n    nextAttemptAt\n    createdAt\n    completedAt\n    attempts {\n      attemptedAt\n      statusCode\n      durationMs\n      responseStart\n      error\n    }\n  }\n": types.DeliveryLineFragmentDoc,
    "\n  mutation Redeliver($webhookId: ID!, $deliveryId: ID!) {\n    redeliver(webhookId: $webhookId, deliveryId: $deliveryId) {\n      id\n    }\n  }\n": types.RedeliverDocument,
    "\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      key\n      apiKey {\n        id\n        scopes\n      }\n    }\n  }\n": types.CreateApiKeyDocument,
    "\n  query ApiKeys($page: Int!, $pageSize: Int!) {\n    apiKeys(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        name\n        prefix\n        scopes\n        allowedNetworks\n        createdAt\n        lastUsedAt\n        expiresAt\n        revokedAt\n      }\n    }\n    usage {\n      apiKeys {\n        used\n        limit\n      }\n    }\n  }\n": types.ApiKeysDocument,
    "\n  mutation RevokeApiKey($id: ID!) {\n    revokeApiKey(id: $id)\n  }\n": types.RevokeApiKeyDocument,
    "\n  query LinksToPick($search: String!) {\n    links(search: $search, pageSize: 6, sort: MOST_CLICKED) {\n      data {\n        id\n        shortUrl\n      }\n    }\n  }\n": types.LinksToPickDocument,
    "\n  query LinkName($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n    }\n  }\n": types.LinkNameDocument,
    "fragment SentEvent on EventPayload {\n  ... on LinkCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkExpiredEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkUsedUpEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkDeletedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkClickedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLinkClickPayload\n    }\n  }\n  ... on ImportFinishedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentImport\n    }\n  }\n  ... on DomainCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainActivatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainFailingEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainDeletedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on SubdomainClaimedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainActivatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainReleasedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on ApiKeyCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentApiKey\n    }\n  }\n  ... on ApiKeyRevokedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentApiKey\n    }\n  }\n  ... on SubscriptionUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubscription\n    }\n  }\n  ... on InvoicePaidEventPayload {\n    type\n    timestamp\n    data {\n      ...SentInvoice\n    }\n  }\n  ... on WebhookDisabledEventPayload {\n    type\n    timestamp\n    data {\n      ...SentWebhook\n    }\n  }\n  ... on WebhookTestEventPayload {\n    type\n    timestamp\n    data {\n      ...SentWebhook\n    }\n  }\n}\n\nfragment SentLink on Link {\n  id\n  destinationUrl\n  utm {\n    source\n    medium\n    campaign\n    term\n    content\n  }\n  slug\n  domain_Link: domain\n  shortUrl\n  isActive\n  state_Link: state\n  title\n  notes\n  tags\n  externalId\n  startsAt\n  expiresAt\n  expiredUrl\n  maxClicks\n  usedClicks\n  isArchived\n  forwardsQuery\n  hasPassword\n  asksFirst\n  notice\n  card {\n    title\n    description\n    imageUrl\n  }\n  app {\n    iosUri\n    iosStoreUrl\n    androidUri\n    androidPackage\n    data\n  }\n  blockedAt\n  clickCount\n  importedClicks\n  lastClickedAt\n  createdAt\n  updatedAt\n}\n\nfragment SentLinkClickPayload on LinkClickPayload {\n  click {\n    id\n    clickedAt\n    browser\n    os\n    device\n    isBot\n    referrerHost\n    country\n    language\n    utmSource\n    utmMedium\n    utmCampaign\n    utmTerm\n    utmContent\n    trigger\n    destination\n    rule\n    source\n    channel\n    linkId\n  }\n  link {\n    ...SentLink\n  }\n}\n\nfragment SentImport on Import {\n  id\n  source\n  encoding\n  hasHeader\n  columns {\n    name\n    field\n  }\n  dateFormat\n  hasUnsureDates\n  domain_Import: domain\n  isDryRun\n  state_Import: state\n  total\n  done\n  created\n  skipped\n  failed\n  resultRows\n  error\n  createdAt\n  finishedAt\n}\n\nfragment SentCustomDomain on CustomDomain {\n  id\n  domain_CustomDomain: domain\n  status_CustomDomain: status\n  verificationToken\n  dnsRecords {\n    type\n    name\n    value\n    found\n    isSet\n    problem\n  }\n  createdAt\n  updatedAt\n  activatedAt\n  failingSince\n  checkedAt\n  settings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n}\n\nfragment SentSubdomainClaim on SubdomainClaim {\n  id\n  subdomain\n  host\n  status_SubdomainClaim: status\n  claimedAt\n  updatedAt\n  activatedAt\n  settings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n}\n\nfragment SentApiKey on ApiKey {\n  id\n  name\n  prefix\n  isPersonal\n  scopes\n  allowedNetworks\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n}\n\nfragment SentSubscription on Subscription {\n  id\n  planId\n  status_Subscription: status\n  interval\n  currentPeriodStart\n  currentPeriodEnd\n  cancelAtPeriodEnd\n  gracePeriodEnd\n  createdAt\n}\n\nfragment SentInvoice on Invoice {\n  id\n  number\n  status_Invoice: status\n  currency\n  amountDue\n  amountPaid\n  createdAt\n  hostedUrl\n  pdfUrl\n}\n\nfragment SentWebhook on Webhook {\n  id\n  name\n  url\n  events\n  batch\n  linkIds\n  excludeBots\n  isActive\n  createdAt\n  updatedAt\n  failingSince\n  disabledAt\n  disabledReason\n}": types.SentEventFragmentDoc,
    "\n  query DeliveryPayload($webhookId: ID!, $page: Int!, $status: DeliveryStatus) {\n    webhookDeliveries(webhookId: $webhookId, page: $page, pageSize: 1, status: $status) {\n      total\n      deliveries {\n        id\n        batchSize\n        payloads(pageSize: 100) {\n          data {\n            ...SentEvent\n          }\n        }\n      }\n    }\n  }\n": types.DeliveryPayloadDocument,
    "\n  mutation TestWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      id\n    }\n  }\n": types.TestWebhookDocument,
    "\n  mutation RotateWebhookSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": types.RotateWebhookSecretDocument,
    "\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n": types.DeleteWebhookDocument,
    "\n  fragment WebhookState on Webhook {\n    id\n    name\n    url\n    events\n    batch\n    linkIds\n    excludeBots\n    isActive\n    createdAt\n    updatedAt\n    failingSince\n    disabledAt\n    disabledReason\n  }\n": types.WebhookStateFragmentDoc,
    "\n  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {\n    updateWebhook(id: $id, input: $input) {\n      ...WebhookState\n    }\n  }\n": types.UpdateWebhookDocument,
    "\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      webhook {\n        id\n      }\n      secret\n    }\n  }\n": types.CreateWebhookDocument,
    "\n  query WebhookPage($id: ID!, $page: Int!, $pageSize: Int!, $status: DeliveryStatus) {\n    webhook(id: $id) {\n      ...WebhookState\n      deliveries(page: $page, pageSize: $pageSize, status: $status) {\n        total\n        page\n        pageSize\n        totalPages\n        deliveries {\n          ...DeliveryLine\n        }\n      }\n    }\n  }\n": types.WebhookPageDocument,
    "\n  subscription DeliveryChanged($webhookId: ID!) {\n    deliveryChanged(webhookId: $webhookId) {\n      ...DeliveryLine\n    }\n  }\n": types.DeliveryChangedDocument,
    "\n  query Webhooks($page: Int!, $pageSize: Int!) {\n    webhooks(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...WebhookState\n      }\n    }\n    usage {\n      webhooks {\n        used\n        limit\n      }\n    }\n  }\n": types.WebhooksDocument,
    "\n  mutation CreateDomain($input: CreateDomainInput!) {\n    createDomain(input: $input) {\n      id\n    }\n  }\n": types.CreateDomainDocument,
    "\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n": types.DeleteDomainDocument,
    "\n  query LinksOnDomain($domain: String!) {\n    links(domain: $domain, isArchived: null, pageSize: 1) {\n      total\n    }\n  }\n": types.LinksOnDomainDocument,
    "\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      ...DomainState\n    }\n  }\n": types.VerifyDomainDocument,
    "\n  fragment DomainState on CustomDomain {\n    id\n    domain\n    status\n    createdAt\n    updatedAt\n    activatedAt\n    failingSince\n    checkedAt\n    dnsRecords {\n      type\n      name\n      value\n      found\n      isSet\n      problem\n    }\n    settings {\n      ...HostFacts\n    }\n  }\n": types.DomainStateFragmentDoc,
    "\n  query DomainPage($id: ID!) {\n    domain(id: $id) {\n      ...DomainState\n    }\n  }\n": types.DomainPageDocument,
    "\n  subscription DomainChanged($domainId: ID!) {\n    domainChanged(domainId: $domainId) {\n      ...DomainState\n    }\n  }\n": types.DomainChangedDocument,
    "\n  mutation UpdateDomain($id: ID!, $input: UpdateHostInput!) {\n    updateDomain(id: $id, input: $input) {\n      id\n    }\n  }\n": types.UpdateDomainDocument,
    "\n  query Domains($page: Int!, $pageSize: Int!) {\n    domains(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        domain\n        status\n        createdAt\n        activatedAt\n        failingSince\n        checkedAt\n        dnsRecords {\n          type\n          isSet\n          problem\n        }\n      }\n    }\n    usage {\n      domains {\n        used\n        limit\n      }\n    }\n    instance {\n      ...ClaimHost\n    }\n    subdomain {\n      ...SubdomainCard\n    }\n  }\n": types.DomainsDocument,
    "\n  fragment SubdomainCard on SubdomainClaim {\n    id\n    host\n    status\n    activatedAt\n    updatedAt\n    settings {\n      ...HostFacts\n    }\n  }\n": types.SubdomainCardFragmentDoc,
    "\n  fragment ClaimHost on Instance {\n    baseUrl\n    subdomainHost\n  }\n": types.ClaimHostFragmentDoc,
    "\n  mutation ClaimSubdomain($input: ClaimSubdomainInput!) {\n    claimSubdomain(input: $input) {\n      ...SubdomainCard\n    }\n  }\n": types.ClaimSubdomainDocument,
    "\n  mutation ActivateSubdomain {\n    activateSubdomain {\n      ...SubdomainCard\n    }\n  }\n": types.ActivateSubdomainDocument,
    "\n  mutation UpdateSubdomain($input: UpdateHostInput!) {\n    updateSubdomain(input: $input) {\n      id\n    }\n  }\n": types.UpdateSubdomainDocument,
    "\n  mutation ReleaseSubdomain {\n    releaseSubdomain\n  }\n": types.ReleaseSubdomainDocument,
    "\n  fragment HostFacts on HostSettings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n": types.HostFactsFragmentDoc,
    "\n  fragment ImportErrors on ImportErrorPageResult {\n    total\n    page\n    pageSize\n    totalPages\n    data {\n      row\n      code\n      column\n      message\n      slug\n    }\n  }\n": types.ImportErrorsFragmentDoc,
    "\n  query ImportPage($id: ID!, $page: Int!, $pageSize: Int!) {\n    import(id: $id) {\n      ...ImportFacts\n    }\n    importErrors(importId: $id, page: $page, pageSize: $pageSize) {\n      ...ImportErrors\n    }\n    instance {\n      ...ClaimHost\n    }\n  }\n": types.ImportPageDocument,
    "\n  mutation PreviewImport($input: PreviewImportInput!) {\n    previewImport(input: $input) {\n      source\n      hasHeader\n      columns {\n        name\n        field\n        values\n      }\n      dateFormat\n      hasUnsureDates\n    }\n  }\n": types.PreviewImportDocument,
    "\n  mutation StartImport($input: StartImportInput!) {\n    startImport(input: $input) {\n      id\n    }\n  }\n": types.StartImportDocument,
    "\n  mutation StartApiImport($input: StartApiImportInput!) {\n    startApiImport(input: $input) {\n      id\n    }\n  }\n": types.StartApiImportDocument,
    "\n  mutation AppendImport($id: ID!, $input: AppendImportInput!) {\n    appendImport(id: $id, input: $input) {\n      id\n    }\n  }\n": types.AppendImportDocument,
    "\n  mutation CancelImport($id: ID!) {\n    cancelImport(id: $id) {\n      id\n    }\n  }\n": types.CancelImportDocument,
    "\n  fragment ImportFacts on Import {\n    id\n    source\n    encoding\n    hasHeader\n    columns {\n      name\n      field\n    }\n    dateFormat\n    hasUnsureDates\n    resultRows\n    domain\n    isDryRun\n    state\n    total\n    done\n    created\n    skipped\n    failed\n    error\n    createdAt\n    finishedAt\n  }\n": types.ImportFactsFragmentDoc,
    "\n  query Imports {\n    imports(pageSize: 50) {\n      data {\n        ...ImportFacts\n      }\n    }\n    ...LinkHosts\n  }\n": types.ImportsDocument,
    "\n  fragment LinkCore on Link {\n    id\n    slug\n    domain\n    shortUrl\n    destinationUrl\n    title\n    notes\n    externalId\n    tags\n    isActive\n    state\n    startsAt\n    expiresAt\n    expiredUrl\n    maxClicks\n    usedClicks\n    isArchived\n    forwardsQuery\n    hasPassword\n    asksFirst\n    notice\n    updatedAt\n    utm {\n      source\n      medium\n      campaign\n      term\n      content\n    }\n  }\n": types.LinkCoreFragmentDoc,
    "\n  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      slug\n      shortUrl\n      destinationUrl\n      isActive\n    }\n  }\n": types.UpdateLinkDocument,
    "\n  query LinkPage($id: ID!) {\n    link(id: $id) {\n      ...LinkCore\n      clickCount\n      importedClicks\n      lastClickedAt\n      createdAt\n      app {\n        data\n      }\n      card {\n        title\n      }\n      clicks(limit: 20) {\n        data {\n          id\n          clickedAt\n        }\n      }\n    }\n    linkRules(linkId: $id) {\n      id\n      rules {\n        number\n      }\n      destinations {\n        number\n        url\n        label\n      }\n    }\n    linkSplit(linkId: $id) {\n      id\n      parts {\n        weight\n      }\n    }\n  }\n": types.LinkPageDocument,
    "\n  subscription LinkClicked($linkId: ID!) {\n    clickRecorded(linkId: $linkId) {\n      ...ClickLine\n    }\n  }\n": types.LinkClickedDocument,
    "\n  fragment LinkHosts on Query {\n    instance {\n      baseUrl\n      subdomainHost\n    }\n    domains(pageSize: 100) {\n      data {\n        id\n        domain\n        status\n      }\n    }\n    subdomain {\n      id\n      host\n      status\n    }\n  }\n": types.LinkHostsFragmentDoc,
    "\n  query LinkForm {\n    ...LinkHosts\n    utmTemplates(pageSize: 100) {\n      data {\n        ...UtmTemplateFields\n      }\n    }\n  }\n": types.LinkFormDocument,
    "\n  query KnownLinks($destinationUrl: String!, $domain: String!) {\n    links(destinationUrl: $destinationUrl, domain: $domain, state: ACTIVE, isArchived: null, sort: OLDEST, pageSize: 20) {\n      data {\n        id\n        title\n        shortUrl\n        expiresAt\n        maxClicks\n      }\n    }\n  }\n": types.KnownLinksDocument,
    "\n  query Links(\n    $page: Int!\n    $pageSize: Int!\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n    $sort: LinkSort!\n  ) {\n    links(\n      page: $page\n      pageSize: $pageSize\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n      sort: $sort\n    ) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...LinkRow\n      }\n    }\n    ...LinkHosts\n  }\n": types.LinksDocument,
    "\n  query NewestLink(\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n  ) {\n    links(\n      pageSize: 1\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n    ) {\n      total\n      data {\n        id\n      }\n    }\n  }\n": types.NewestLinkDocument,
    "\n  query ArchivedLinks {\n    links(isArchived: true, pageSize: 1) {\n      total\n    }\n  }\n": types.ArchivedLinksDocument,
    "\n  subscription LinksClicks {\n    accountClicks {\n      links {\n        linkId\n        clicks\n      }\n    }\n  }\n": types.LinksClicksDocument,
    "\n  fragment WhyNot on ErrorPayload {\n    code\n    message\n    validationErrors {\n      path\n      message\n    }\n  }\n": types.WhyNotFragmentDoc,
    "\n  query ChosenLinks(\n    $page: Int!\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n  ) {\n    links(\n      page: $page\n      pageSize: 100\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n      sort: OLDEST\n    ) {\n      totalPages\n      data {\n        id\n        shortUrl\n        tags\n        isActive\n        isArchived\n      }\n    }\n  }\n": types.ChosenLinksDocument,
    "\n  mutation UpdateLinks($input: UpdateLinksInput!) {\n    updateLinks(input: $input) {\n      results {\n        linkId\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n": types.UpdateLinksDocument,
    "\n  mutation DeleteLinks($input: DeleteLinksInput!) {\n    deleteLinks(input: $input) {\n      results {\n        linkId\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n": types.DeleteLinksDocument,
    "\n  mutation CreateLinks($input: CreateLinksInput!) {\n    createLinks(input: $input) {\n      results {\n        link {\n          id\n          shortUrl\n          destinationUrl\n        }\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n": types.CreateLinksDocument,
    "\n  mutation CreateLink($input: CreateLinkInput!) {\n    createLink(input: $input) {\n      ...LinkCore\n    }\n  }\n": types.CreateLinkDocument,
    "\n  query NewLink {\n    ...LinkHosts\n    utmTemplates(pageSize: 100) {\n      data {\n        ...UtmTemplateFields\n      }\n    }\n    usage {\n      links {\n        used\n        limit\n      }\n    }\n  }\n": types.NewLinkDocument,
    "\n  subscription NewLinkClicked($linkId: ID!) {\n    clickRecorded(linkId: $linkId) {\n      id\n    }\n  }\n": types.NewLinkClickedDocument,
    "\n  query LinkRehearsal($id: ID!, $input: RehearseLinkInput!) {\n    rehearseLink(linkId: $id, input: $input) {\n      visits\n      bots\n      visitsPerDay\n      phases {\n        startsAt\n        outcomes {\n          outcome\n          visits\n          bots\n        }\n      }\n      rules {\n        rule\n        name\n        visits\n        bots\n      }\n      notes\n    }\n  }\n": types.LinkRehearsalDocument,
    "\n  query LinkSummary(\n    $id: ID!\n    $from: DateTime!\n    $to: DateTime\n    $interval: Interval!\n    $timeZone: TimeZone!\n    $includeBots: Boolean!\n    $filter: [ClickCondition!]\n    $yearFrom: DateTime!\n    $yearTo: DateTime!\n    $withYear: Boolean!\n    $withPrevious: Boolean!\n  ) {\n    year: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    annotations(linkId: $id, from: $from, to: $to, pageSize: 100) {\n      ...Notes\n    }\n    clickSummary(\n      linkId: $id\n      from: $from\n      to: $to\n      interval: $interval\n      timeZone: $timeZone\n      includeBots: $includeBots\n      filter: $filter\n      limit: 8\n    ) {\n      isExact\n      from\n      to\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      series {\n        start\n        clicks\n        uniques\n      }\n      top {\n        ...SummaryTops\n        destinations {\n          ...SummaryTop\n        }\n        triggers {\n          ...SummaryTop\n        }\n      }\n    }\n    clicks(linkId: $id, from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: 50) {\n      data {\n        ...ClickLine\n      }\n    }\n  }\n": types.LinkSummaryDocument,
    "\n  fragment ClickLine on ClickEvent {\n    id\n    clickedAt\n    browser\n    os\n    device\n    isBot\n    referrerHost\n    country\n  }\n": types.ClickLineFragmentDoc,
    "\n  fragment LinkRow on Link {\n    ...LinkCore\n    clickCount\n    importedClicks\n    createdAt\n    clickSeries(days: 14) {\n      clicks\n    }\n  }\n": types.LinkRowFragmentDoc,
    "\n  query SlugAvailability($slug: String!, $domain: String!, $linkId: ID) {\n    slugAvailability(slug: $slug, domain: $domain, linkId: $linkId) {\n      state\n    }\n  }\n": types.SlugAvailabilityDocument,
    "\n  mutation InviteMember($input: InviteMemberInput!) {\n    inviteMember(input: $input) {\n      id\n    }\n  }\n": types.InviteMemberDocument,
    "\n  mutation UpdateMember($userId: ID!, $input: UpdateMemberInput!) {\n    updateMember(id: $userId, input: $input) {\n      userId\n    }\n  }\n": types.UpdateMemberDocument,
    "\n  mutation RemoveMember($userId: ID!) {\n    removeMember(id: $userId)\n  }\n": types.RemoveMemberDocument,
    "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      id\n    }\n  }\n": types.UpdateAccountDocument,
    "\n  mutation LeaveAccount {\n    leaveAccount {\n      message\n    }\n  }\n": types.LeaveAccountDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": types.AcceptInvitationDocument,
    "\n  query Members($page: Int!, $pageSize: Int!, $isRead: Boolean!, $isManaged: Boolean!) {\n    me {\n      account {\n        id\n        name\n      }\n    }\n    members(page: $page, pageSize: $pageSize) @include(if: $isRead) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        userId\n        name\n        email\n        role\n        joinedAt\n      }\n    }\n    invitations(pageSize: 100) @include(if: $isManaged) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        email\n        role\n        expiresAt\n      }\n    }\n    transfers(pageSize: 100) @include(if: $isManaged) {\n      ...Transfers\n    }\n  }\n": types.MembersDocument,
    "\n  mutation RevokeInvitation($id: ID!) {\n    revokeInvitation(id: $id)\n  }\n": types.RevokeInvitationDocument,
    "\n  query Overview($from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!, $isManaged: Boolean!) {\n    year: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    annotations(from: $from, to: $to, pageSize: 100) {\n      ...Notes\n    }\n    accountClickSummary(\n      from: $from\n      to: $to\n      interval: $interval\n      timeZone: $timeZone\n      includeBots: $includeBots\n      filter: $filter\n      limit: 8\n    ) {\n      isExact\n      from\n      to\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      series {\n        start\n        clicks\n        uniques\n      }\n      top {\n        ...SummaryTops\n      }\n      links {\n        linkId\n        clicks\n        link {\n          id\n          slug\n          shortUrl\n          title\n        }\n      }\n      linksOther\n      linksError\n    }\n    me {\n      id\n      account {\n        id\n        createdAt\n      }\n    }\n    usage {\n      links {\n        used\n      }\n      domains {\n        used\n      }\n      apiKeys {\n        used\n      }\n    }\n    transfers(pageSize: 100) @include(if: $isManaged) {\n      data {\n        id\n        state\n        toAccount {\n          id\n        }\n      }\n    }\n  }\n": types.OverviewDocument,
    "\n  subscription OverviewClicks {\n    accountClicks {\n      total\n    }\n  }\n": types.OverviewClicksDocument,
    "\n  mutation CreateReport($input: CreateReportInput!) {\n    createReport(input: $input) {\n      id\n      url\n    }\n  }\n": types.CreateReportDocument,
    "\n  mutation UpdateReport($id: ID!, $input: UpdateReportInput!) {\n    updateReport(id: $id, input: $input) {\n      id\n      url\n    }\n  }\n": types.UpdateReportDocument,
    "\n  fragment ReportRow on Report {\n    id\n    name\n    linkId\n    link {\n      id\n      slug\n      shortUrl\n      title\n    }\n    filter {\n      dimension\n      operator\n      values\n    }\n    period\n    back\n    from\n    to\n    includeBots\n    panels\n    showsDestinations\n    embedOrigins\n    hasPassword\n    expiresAt\n    isShared\n    url\n    updatedAt\n  }\n": types.ReportRowFragmentDoc,
    "\n  query Reports($page: Int!, $pageSize: Int!) {\n    reports(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...ReportRow\n      }\n    }\n  }\n": types.ReportsDocument,
    "\n  mutation StopReport($id: ID!) {\n    updateReport(id: $id, input: { isShared: false }) {\n      id\n    }\n  }\n": types.StopReportDocument,
    "\n  mutation DeleteReport($id: ID!) {\n    deleteReport(id: $id)\n  }\n": types.DeleteReportDocument,
    "\n  fragment RulesShown on LinkRules {\n    id\n    updatedAt\n    rules {\n      number\n      name\n      conditions {\n        kind\n        values\n        key\n        negated\n      }\n      destination {\n        url\n      }\n      split {\n        destination {\n          url\n          label\n        }\n        weight\n      }\n    }\n    warnings {\n      rule\n      condition\n      reason\n    }\n  }\n": types.RulesShownFragmentDoc,
    "\n  fragment SplitShown on LinkSplit {\n    id\n    updatedAt\n    autoStopsAt\n    parts {\n      destination {\n        url\n        label\n      }\n      weight\n    }\n  }\n": types.SplitShownFragmentDoc,
    "\n  query RulesPage($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n      destinationUrl\n      updatedAt\n    }\n    linkRules(linkId: $id) {\n      ...RulesShown\n    }\n    linkSplit(linkId: $id) {\n      ...SplitShown\n    }\n  }\n": types.RulesPageDocument,
    "\n  query Rehearsal($id: ID!, $input: RehearseRulesInput!) {\n    rehearseRules(linkId: $id, input: $input) {\n      from\n      visits\n      outcomes {\n        rule\n        visits\n        bots\n        undecided\n      }\n      unknown {\n        rule\n        condition\n        reason\n      }\n    }\n  }\n": types.RehearsalDocument,
    "\n  query SplitReport($id: ID!, $rule: Int) {\n    splitReport(linkId: $id, rule: $rule) {\n      from\n      isUneven\n      parts {\n        destination {\n          number\n          url\n          label\n        }\n        expectedShare\n        clicks\n        visitors\n        share {\n          share\n          low\n          high\n        }\n      }\n    }\n  }\n": types.SplitReportDocument,
    "\n  mutation SetLinkRules($id: ID!, $input: SetLinkRulesInput!) {\n    setLinkRules(linkId: $id, input: $input) {\n      ...RulesShown\n    }\n  }\n": types.SetLinkRulesDocument,
    "\n  mutation SetLinkSplit($id: ID!, $input: SetLinkSplitInput!) {\n    setLinkSplit(linkId: $id, input: $input) {\n      ...SplitShown\n    }\n  }\n": types.SetLinkSplitDocument,
    "\n  query ExplainVisit($id: ID!, $input: ExplainRedirectInput!) {\n    explainRedirect(linkId: $id, input: $input) {\n      state\n      answer\n      rule\n      isSplit\n      finalUrl\n      rules {\n        number\n        name\n        result\n        failedCondition\n      }\n    }\n  }\n": types.ExplainVisitDocument,
    "\n  mutation SwitchAccount($input: SwitchAccountInput!) {\n    switchAccount(input: $input) {\n      accessToken\n      expiresIn\n      user {\n        ...SignedIn\n      }\n    }\n  }\n": types.SwitchAccountDocument,
    "\n  fragment SignedIn on User {\n    id\n    email\n    name\n    createdAt\n    emailVerifiedAt\n    pendingEmail\n  }\n": types.SignedInFragmentDoc,
    "\n  query WhatDies($hasBilling: Boolean!) {\n    usage {\n      links {\n        used\n      }\n      domains {\n        used\n      }\n      webhooks {\n        used\n      }\n      apiKeys {\n        used\n      }\n    }\n    subscription @include(if: $hasBilling) {\n      id\n      planId\n    }\n    plans @include(if: $hasBilling) {\n      plans {\n        id\n        name\n      }\n    }\n  }\n": types.WhatDiesDocument,
    "\n  mutation DeleteMe($input: DeleteMeInput!) {\n    deleteMe(input: $input)\n  }\n": types.DeleteMeDocument,
    "\n  fragment ExportLinks on LinkPageResult {\n    total\n    data {\n      id\n      shortUrl\n      clickCount\n    }\n  }\n": types.ExportLinksFragmentDoc,
    "\n  fragment IdentityRow on Identity {\n    id\n    provider\n    email\n    createdAt\n    lastUsedAt\n  }\n": types.IdentityRowFragmentDoc,
    "\n  mutation RemoveIdentity($id: ID!) {\n    removeIdentity(id: $id)\n  }\n": types.RemoveIdentityDocument,
    "\n  fragment PasskeyRow on Passkey {\n    id\n    name\n    createdAt\n    lastUsedAt\n  }\n": types.PasskeyRowFragmentDoc,
    "\n  mutation StartPasskey {\n    startPasskey {\n      challenge\n      options\n    }\n  }\n": types.StartPasskeyDocument,
    "\n  mutation AddPasskey($input: AddPasskeyInput!) {\n    addPasskey(input: $input) {\n      recoveryCodes\n    }\n  }\n": types.AddPasskeyDocument,
    "\n  mutation RemovePasskey($id: ID!) {\n    removePasskey(id: $id)\n  }\n": types.RemovePasskeyDocument,
    "\n  mutation UpdateMe($input: UpdateMeInput!) {\n    updateMe(input: $input) {\n      user {\n        ...SignedIn\n      }\n      accessToken\n      expiresIn\n    }\n  }\n": types.UpdateMeDocument,
    "\n  fragment SecurityState on Security {\n    totpSince\n    hasPassword\n    recoveryCodesLeft\n  }\n": types.SecurityStateFragmentDoc,
    "\n  mutation StartTotp {\n    startTotp {\n      secret\n      uri\n    }\n  }\n": types.StartTotpDocument,
    "\n  mutation RemoveTotp {\n    removeTotp {\n      message\n    }\n  }\n": types.RemoveTotpDocument,
    "\n  mutation RenewRecoveryCodes {\n    renewRecoveryCodes {\n      recoveryCodes\n    }\n  }\n": types.RenewRecoveryCodesDocument,
    "\n  fragment SessionRow on Session {\n    id\n    browser\n    os\n    country\n    createdAt\n    lastSeenAt\n    isCurrent\n  }\n": types.SessionRowFragmentDoc,
    "\n  mutation EndSession($id: ID!) {\n    endSession(id: $id)\n  }\n": types.EndSessionDocument,
    "\n  mutation EndOtherSessions {\n    endOtherSessions {\n      endedCount\n    }\n  }\n": types.EndOtherSessionsDocument,
    "\n  mutation ConfirmTotp($input: ConfirmTotpInput!) {\n    confirmTotp(input: $input) {\n      recoveryCodes\n    }\n  }\n": types.ConfirmTotpDocument,
    "\n  query Settings($hasLinks: Boolean!) {\n    me {\n      ...SignedIn\n    }\n    security {\n      ...SecurityState\n      provedAt\n    }\n    passkeys {\n      passkeys {\n        ...PasskeyRow\n      }\n    }\n    identities {\n      identities {\n        ...IdentityRow\n      }\n    }\n    instance {\n      companySignIn\n      hasPasskeys\n      hasPasswordLogin\n    }\n    sessions {\n      sessions {\n        ...SessionRow\n      }\n    }\n    links(isArchived: null, pageSize: 100, sort: MOST_CLICKED) @include(if: $hasLinks) {\n      ...ExportLinks\n    }\n  }\n": types.SettingsDocument,
    "\n  query Mail {\n    instance {\n      isMailConfigured\n    }\n  }\n": types.MailDocument,
    "\n  query PaletteLinks($search: String!) {\n    links(search: $search, pageSize: 8, sort: MOST_CLICKED) {\n      data {\n        id\n        shortUrl\n        destinationUrl\n        title\n      }\n    }\n  }\n": types.PaletteLinksDocument,
    "\n  query Workspaces {\n    me {\n      account {\n        id\n        name\n      }\n      memberships {\n        account {\n          id\n          name\n        }\n      }\n    }\n  }\n": types.WorkspacesDocument,
    "\n  mutation CreateTag($input: CreateTagInput!) {\n    createTag(input: $input) {\n      ...TagRow\n    }\n  }\n": types.CreateTagDocument,
    "\n  mutation RenameTag($id: ID!, $input: UpdateTagInput!) {\n    updateTag(id: $id, input: $input) {\n      ...TagRow\n    }\n  }\n": types.RenameTagDocument,
    "\n  mutation MergeTag($id: ID!, $input: MergeTagInput!) {\n    mergeTag(id: $id, input: $input) {\n      ...TagRow\n    }\n  }\n": types.MergeTagDocument,
    "\n  mutation DeleteTag($id: ID!) {\n    deleteTag(id: $id)\n  }\n": types.DeleteTagDocument,
    "\n  query TagsNamed($search: String!, $page: Int!) {\n    tags(search: $search, page: $page, pageSize: 100) {\n      totalPages\n      data {\n        id\n        name\n      }\n    }\n  }\n": types.TagsNamedDocument,
    "\n  fragment TagRow on Tag {\n    id\n    name\n    linkCount\n    createdAt\n    updatedAt\n  }\n": types.TagRowFragmentDoc,
    "\n  query Tags($page: Int!, $pageSize: Int!, $search: String) {\n    tags(page: $page, pageSize: $pageSize, search: $search) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...TagRow\n      }\n    }\n  }\n": types.TagsDocument,
    "\n  query SuggestedTags($search: String!) {\n    tags(search: $search, pageSize: 20) {\n      data {\n        id\n        name\n      }\n    }\n  }\n": types.SuggestedTagsDocument,
    "\n  query TransferChoices($domain: String, $isDomain: Boolean!) {\n    me {\n      memberships {\n        account {\n          id\n          name\n        }\n      }\n    }\n    instance {\n      baseUrl\n    }\n    links(domain: $domain, isArchived: null, pageSize: 1) @include(if: $isDomain) {\n      total\n    }\n  }\n": types.TransferChoicesDocument,
    "\n  mutation OfferTransfer($input: OfferTransferInput!) {\n    offerTransfer(input: $input) {\n      id\n      toAccount {\n        id\n        name\n      }\n    }\n  }\n": types.OfferTransferDocument,
    "\n  fragment TransferFacts on Transfer {\n    id\n    fromAccount {\n      id\n      name\n    }\n    toAccount {\n      id\n      name\n    }\n    domain\n    shortUrls\n    linkCount\n    movedLinks\n    state\n    expiresAt\n  }\n": types.TransferFactsFragmentDoc,
    "\n  fragment Transfers on TransferPageResult {\n    total\n    data {\n      ...TransferFacts\n    }\n  }\n": types.TransfersFragmentDoc,
    "\n  mutation AcceptTransfer($id: ID!) {\n    acceptTransfer(id: $id) {\n      id\n    }\n  }\n": types.AcceptTransferDocument,
    "\n  mutation DeleteTransfer($id: ID!) {\n    deleteTransfer(id: $id)\n  }\n": types.DeleteTransferDocument,
    "\n  mutation CreateUtmTemplate($input: CreateUtmTemplateInput!) {\n    createUtmTemplate(input: $input) {\n      id\n    }\n  }\n": types.CreateUtmTemplateDocument,
    "\n  mutation UpdateUtmTemplate($id: ID!, $input: UpdateUtmTemplateInput!) {\n    updateUtmTemplate(id: $id, input: $input) {\n      id\n    }\n  }\n": types.UpdateUtmTemplateDocument,
    "\n  mutation DeleteUtmTemplate($id: ID!) {\n    deleteUtmTemplate(id: $id)\n  }\n": types.DeleteUtmTemplateDocument,
    "\n  query UtmTemplates($page: Int!, $pageSize: Int!) {\n    utmTemplates(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...UtmTemplateFields\n      }\n    }\n  }\n": types.UtmTemplatesDocument,
    "\n  fragment UtmTemplateFields on UtmTemplate {\n    id\n    name\n    source\n    medium\n    campaign\n    term\n    content\n    updatedAt\n  }\n": types.UtmTemplateFieldsFragmentDoc,
    "\n  mutation SetHostPages($host: String!, $input: SetHostPagesInput!) {\n    setHostPages(host: $host, input: $input) {\n      updatedAt\n    }\n  }\n": types.SetHostPagesDocument,
    "\n  query VisitorPages {\n    ...LinkHosts\n  }\n": types.VisitorPagesDocument,
    "\n  query HostPages($host: String!) {\n    hostPages(host: $host) {\n      host\n      accentColor\n      backgroundColor\n      logoImageId\n      logoUrl\n      texts {\n        page\n        language\n        title\n        text\n      }\n      updatedAt\n    }\n  }\n": types.HostPagesDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Register($input: RegisterInput!) {\n    register(input: $input) {\n      user {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').RegisterDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ForgotPassword($input: ForgotPasswordInput!) {\n    forgotPassword(input: $input) {\n      message\n    }\n  }\n"): typeof import('./graphql').ForgotPasswordDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Proof {\n    security {\n      totpSince\n      hasPassword\n    }\n    identities {\n      identities {\n        id\n      }\n    }\n    passkeys {\n      passkeys {\n        id\n      }\n    }\n    instance {\n      ...WaysIn\n    }\n  }\n"): typeof import('./graphql').ProofDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartPasskeyProof {\n    startPasskeyProof {\n      challenge\n      options\n    }\n  }\n"): typeof import('./graphql').StartPasskeyProofDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmAccess($input: ConfirmAccessInput!) {\n    confirmAccess(input: $input) {\n      user {\n        ...SignedIn\n      }\n      accessToken\n      expiresIn\n    }\n  }\n"): typeof import('./graphql').ConfirmAccessDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResetPassword($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      message\n    }\n  }\n"): typeof import('./graphql').ResetPasswordDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SetupInstance {\n    instance {\n      ...WaysIn\n      baseUrl\n      isMailConfigured\n      version\n    }\n  }\n"): typeof import('./graphql').SetupInstanceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UndoEmailChange($input: UndoEmailChangeInput!) {\n    undoEmailChange(input: $input) {\n      message\n    }\n  }\n"): typeof import('./graphql').UndoEmailChangeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendVerification {\n    sendVerification {\n      message\n    }\n  }\n"): typeof import('./graphql').SendVerificationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation VerifyEmail($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      message\n    }\n  }\n"): typeof import('./graphql').VerifyEmailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment WaysIn on Instance {\n    needsSetup\n    registration\n    hasPasswordLogin\n    hasPasskeys\n    companySignIn\n  }\n"): typeof import('./graphql').WaysInFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SignInInstance {\n    instance {\n      ...WaysIn\n    }\n  }\n"): typeof import('./graphql').SignInInstanceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment BreakdownPlaces on TopStats {\n    regions {\n      values {\n        clicks\n      }\n    }\n    cities {\n      values {\n        clicks\n      }\n    }\n  }\n"): typeof import('./graphql').BreakdownPlacesFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Breakdown(\n    $id: ID!\n    $isOfAll: Boolean!\n    $isOfLink: Boolean!\n    $linkId: ID\n    $dimension: ClickDimension!\n    $from: DateTime!\n    $to: DateTime\n    $timeZone: TimeZone!\n    $includeBots: Boolean!\n    $filter: [ClickCondition!]\n    $found: [ClickCondition!]\n    $search: String\n    $page: Int!\n    $pageSize: Int!\n    $yearFrom: DateTime!\n    $yearTo: DateTime!\n    $withYear: Boolean!\n    $withPrevious: Boolean!\n  ) {\n    clickBreakdown(\n      linkId: $linkId\n      dimension: $dimension\n      from: $from\n      to: $to\n      includeBots: $includeBots\n      filter: $found\n      search: $search\n      page: $page\n      pageSize: $pageSize\n    ) {\n      isExact\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        value\n        clicks\n        uniques\n        bots\n      }\n    }\n    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      top {\n        ...BreakdownPlaces\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      top {\n        ...BreakdownPlaces\n      }\n    }\n    yearOfAll: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)\n      @include(if: $withYear)\n      @skip(if: $isOfLink) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    yearOfLink: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)\n      @include(if: $withYear)\n      @skip(if: $isOfAll) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    me {\n      id\n      account {\n        id\n        createdAt\n      }\n    }\n    link(id: $id) @skip(if: $isOfAll) {\n      id\n      shortUrl\n      destinationUrl\n      createdAt\n    }\n    linkRules(linkId: $id) @skip(if: $isOfAll) {\n      id\n      destinations {\n        number\n        url\n        label\n      }\n    }\n  }\n"): typeof import('./graphql').BreakdownDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BreakdownLinks($from: DateTime!, $to: DateTime, $includeBots: Boolean!, $filter: [ClickCondition!], $limit: Int!) {\n    accountClickSummary(from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: $limit) {\n      links {\n        linkId\n        link {\n          id\n          slug\n          shortUrl\n          title\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').BreakdownLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SummaryTotals on TotalStats {\n    clicks\n    uniques\n    bots\n  }\n"): typeof import('./graphql').SummaryTotalsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SummaryTops on TopStats {\n    countries {\n      ...SummaryTop\n    }\n    regions {\n      ...SummaryTop\n    }\n    cities {\n      ...SummaryTop\n    }\n    languages {\n      ...SummaryTop\n    }\n    sources {\n      ...SummaryTop\n    }\n    channels {\n      ...SummaryTop\n    }\n    referrers {\n      ...SummaryTop\n    }\n    utmSources {\n      ...SummaryTop\n    }\n    utmMediums {\n      ...SummaryTop\n    }\n    utmCampaigns {\n      ...SummaryTop\n    }\n    devices {\n      ...SummaryTop\n    }\n    browsers {\n      ...SummaryTop\n    }\n    operatingSystems {\n      ...SummaryTop\n    }\n  }\n"): typeof import('./graphql').SummaryTopsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SummaryTop on TopValuesStats {\n    values {\n      value\n      clicks\n    }\n    unknown\n    other\n    error\n  }\n"): typeof import('./graphql').SummaryTopFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CountryData {\n    instance {\n      countryData {\n        name\n        builtAt\n        isBuiltIn\n      }\n    }\n  }\n"): typeof import('./graphql').CountryDataDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ClicksByHour($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {\n    ofAll: accountClickSummary(from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {\n      from\n      series {\n        start\n        clicks\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {\n      from\n      series {\n        start\n        clicks\n      }\n    }\n  }\n"): typeof import('./graphql').ClicksByHourDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConditionLink($id: ID!) {\n    link(id: $id) {\n      id\n      slug\n      shortUrl\n      title\n    }\n  }\n"): typeof import('./graphql').ConditionLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Notes on AnnotationPageResult {\n    total\n    data {\n      ...Note\n    }\n  }\n"): typeof import('./graphql').NotesFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Note on Annotation {\n    id\n    occurredAt\n    text\n    updatedAt\n  }\n"): typeof import('./graphql').NoteFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAnnotation($input: CreateAnnotationInput!) {\n    createAnnotation(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').CreateAnnotationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAnnotation($id: ID!, $input: UpdateAnnotationInput!) {\n    updateAnnotation(id: $id, input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').UpdateAnnotationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAnnotation($id: ID!) {\n    deleteAnnotation(id: $id)\n  }\n"): typeof import('./graphql').DeleteAnnotationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ClicksByCountry($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {\n    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfLink) {\n      totals {\n        clicks\n      }\n      top {\n        countries {\n          values {\n            value\n            clicks\n          }\n        }\n      }\n    }\n    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfAll) {\n      totals {\n        clicks\n      }\n      top {\n        countries {\n          values {\n            value\n            clicks\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ClicksByCountryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HostApps($host: String!) {\n    hostApps(host: $host) {\n      host\n      iosApps {\n        appId\n        paths\n      }\n      androidApps {\n        packageName\n        fingerprints\n      }\n      appleFile\n      androidFile\n      updatedAt\n    }\n  }\n"): typeof import('./graphql').HostAppsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetHostApps($host: String!, $input: SetHostAppsInput!) {\n    setHostApps(host: $host, input: $input) {\n      updatedAt\n    }\n  }\n"): typeof import('./graphql').SetHostAppsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePublishableKey($input: CreatePublishableKeyInput!) {\n    createPublishableKey(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').CreatePublishableKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdatePublishableKey($id: ID!, $input: UpdatePublishableKeyInput!) {\n    updatePublishableKey(id: $id, input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').UpdatePublishableKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeletePublishableKey($id: ID!) {\n    deletePublishableKey(id: $id)\n  }\n"): typeof import('./graphql').DeletePublishableKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkAppPage($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n      updatedAt\n      ...LinkApps\n    }\n  }\n"): typeof import('./graphql').LinkAppPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment LinkApps on Link {\n    app {\n      iosUri\n      iosStoreUrl\n      androidUri\n      androidPackage\n      data\n    }\n  }\n"): typeof import('./graphql').LinkAppsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetLinkApp($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      updatedAt\n      ...LinkApps\n    }\n  }\n"): typeof import('./graphql').SetLinkAppDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AppsPage {\n    ...LinkHosts\n    publishableKeys {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        name\n        key\n        hosts\n        updatedAt\n      }\n    }\n  }\n"): typeof import('./graphql').AppsPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Billing {\n    me {\n      id\n      account {\n        id\n        plan\n      }\n    }\n    plans {\n      plans {\n        ...PlanCard\n      }\n    }\n    usage {\n      ...UsageBars\n    }\n    subscription {\n      ...SubscriptionState\n    }\n    invoices {\n      invoices {\n        ...InvoiceRow\n      }\n    }\n  }\n"): typeof import('./graphql').BillingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InvoiceRow on Invoice {\n    id\n    number\n    status\n    currency\n    amountDue\n    createdAt\n    hostedUrl\n    pdfUrl\n  }\n"): typeof import('./graphql').InvoiceRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment PlanCard on Plan {\n    id\n    name\n    currency\n    monthlyPrice\n    yearlyPrice\n    intervals\n    limits {\n      links\n      domains\n      webhooks\n      apiKeys\n      requestsPerMinute\n      retentionDays\n    }\n  }\n"): typeof import('./graphql').PlanCardFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateCheckout($input: CreateCheckoutInput!) {\n    createCheckout(input: $input) {\n      checkoutUrl\n    }\n  }\n"): typeof import('./graphql').CreateCheckoutDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateBillingPortal {\n    createBillingPortal {\n      portalUrl\n    }\n  }\n"): typeof import('./graphql').CreateBillingPortalDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SubscriptionState on Subscription {\n    id\n    planId\n    status\n    interval\n    currentPeriodEnd\n    cancelAtPeriodEnd\n    gracePeriodEnd\n    createdAt\n  }\n"): typeof import('./graphql').SubscriptionStateFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment UsageBars on UsageResult {\n    periodStart\n    periodEnd\n    links {\n      used\n      limit\n    }\n    clicks {\n      used\n    }\n    domains {\n      used\n      limit\n    }\n    webhooks {\n      used\n      limit\n    }\n    apiKeys {\n      used\n      limit\n    }\n    apiCalls {\n      used\n    }\n  }\n"): typeof import('./graphql').UsageBarsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment CardTexts on Link {\n    card {\n      title\n      description\n      imageUrl\n    }\n  }\n"): typeof import('./graphql').CardTextsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CardPage($id: ID!) {\n    link(id: $id) {\n      id\n      domain\n      shortUrl\n      destinationUrl\n      updatedAt\n      ...CardTexts\n    }\n  }\n"): typeof import('./graphql').CardPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PageMetadata($url: String!) {\n    fetchMetadata(url: $url) {\n      title\n      description\n      imageUrl\n    }\n  }\n"): typeof import('./graphql').PageMetadataDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetCard($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      updatedAt\n      ...CardTexts\n    }\n  }\n"): typeof import('./graphql').SetCardDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DeliveryLine on Delivery {\n    id\n    messageId\n    event\n    batchSize\n    status\n    attemptCount\n    nextAttemptAt\n    createdAt\n    completedAt\n    attempts {\n      attemptedAt\n      statusCode\n      durationMs\n      responseStart\n      error\n    }\n  }\n"): typeof import('./graphql').DeliveryLineFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Redeliver($webhookId: ID!, $deliveryId: ID!) {\n    redeliver(webhookId: $webhookId, deliveryId: $deliveryId) {\n      id\n    }\n  }\n"): typeof import('./graphql').RedeliverDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      key\n      apiKey {\n        id\n        scopes\n      }\n    }\n  }\n"): typeof import('./graphql').CreateApiKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ApiKeys($page: Int!, $pageSize: Int!) {\n    apiKeys(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        name\n        prefix\n        scopes\n        allowedNetworks\n        createdAt\n        lastUsedAt\n        expiresAt\n        revokedAt\n      }\n    }\n    usage {\n      apiKeys {\n        used\n        limit\n      }\n    }\n  }\n"): typeof import('./graphql').ApiKeysDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeApiKey($id: ID!) {\n    revokeApiKey(id: $id)\n  }\n"): typeof import('./graphql').RevokeApiKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinksToPick($search: String!) {\n    links(search: $search, pageSize: 6, sort: MOST_CLICKED) {\n      data {\n        id\n        shortUrl\n      }\n    }\n  }\n"): typeof import('./graphql').LinksToPickDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkName($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n    }\n  }\n"): typeof import('./graphql').LinkNameDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment SentEvent on EventPayload {\n  ... on LinkCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkExpiredEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkUsedUpEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkDeletedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLink\n    }\n  }\n  ... on LinkClickedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentLinkClickPayload\n    }\n  }\n  ... on ImportFinishedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentImport\n    }\n  }\n  ... on DomainCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainActivatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainFailingEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on DomainDeletedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentCustomDomain\n    }\n  }\n  ... on SubdomainClaimedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainActivatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on SubdomainReleasedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubdomainClaim\n    }\n  }\n  ... on ApiKeyCreatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentApiKey\n    }\n  }\n  ... on ApiKeyRevokedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentApiKey\n    }\n  }\n  ... on SubscriptionUpdatedEventPayload {\n    type\n    timestamp\n    data {\n      ...SentSubscription\n    }\n  }\n  ... on InvoicePaidEventPayload {\n    type\n    timestamp\n    data {\n      ...SentInvoice\n    }\n  }\n  ... on WebhookDisabledEventPayload {\n    type\n    timestamp\n    data {\n      ...SentWebhook\n    }\n  }\n  ... on WebhookTestEventPayload {\n    type\n    timestamp\n    data {\n      ...SentWebhook\n    }\n  }\n}\n\nfragment SentLink on Link {\n  id\n  destinationUrl\n  utm {\n    source\n    medium\n    campaign\n    term\n    content\n  }\n  slug\n  domain_Link: domain\n  shortUrl\n  isActive\n  state_Link: state\n  title\n  notes\n  tags\n  externalId\n  startsAt\n  expiresAt\n  expiredUrl\n  maxClicks\n  usedClicks\n  isArchived\n  forwardsQuery\n  hasPassword\n  asksFirst\n  notice\n  card {\n    title\n    description\n    imageUrl\n  }\n  app {\n    iosUri\n    iosStoreUrl\n    androidUri\n    androidPackage\n    data\n  }\n  blockedAt\n  clickCount\n  importedClicks\n  lastClickedAt\n  createdAt\n  updatedAt\n}\n\nfragment SentLinkClickPayload on LinkClickPayload {\n  click {\n    id\n    clickedAt\n    browser\n    os\n    device\n    isBot\n    referrerHost\n    country\n    language\n    utmSource\n    utmMedium\n    utmCampaign\n    utmTerm\n    utmContent\n    trigger\n    destination\n    rule\n    source\n    channel\n    linkId\n  }\n  link {\n    ...SentLink\n  }\n}\n\nfragment SentImport on Import {\n  id\n  source\n  encoding\n  hasHeader\n  columns {\n    name\n    field\n  }\n  dateFormat\n  hasUnsureDates\n  domain_Import: domain\n  isDryRun\n  state_Import: state\n  total\n  done\n  created\n  skipped\n  failed\n  resultRows\n  error\n  createdAt\n  finishedAt\n}\n\nfragment SentCustomDomain on CustomDomain {\n  id\n  domain_CustomDomain: domain\n  status_CustomDomain: status\n  verificationToken\n  dnsRecords {\n    type\n    name\n    value\n    found\n    isSet\n    problem\n  }\n  createdAt\n  updatedAt\n  activatedAt\n  failingSince\n  checkedAt\n  settings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n}\n\nfragment SentSubdomainClaim on SubdomainClaim {\n  id\n  subdomain\n  host\n  status_SubdomainClaim: status\n  claimedAt\n  updatedAt\n  activatedAt\n  settings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n}\n\nfragment SentApiKey on ApiKey {\n  id\n  name\n  prefix\n  isPersonal\n  scopes\n  allowedNetworks\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n}\n\nfragment SentSubscription on Subscription {\n  id\n  planId\n  status_Subscription: status\n  interval\n  currentPeriodStart\n  currentPeriodEnd\n  cancelAtPeriodEnd\n  gracePeriodEnd\n  createdAt\n}\n\nfragment SentInvoice on Invoice {\n  id\n  number\n  status_Invoice: status\n  currency\n  amountDue\n  amountPaid\n  createdAt\n  hostedUrl\n  pdfUrl\n}\n\nfragment SentWebhook on Webhook {\n  id\n  name\n  url\n  events\n  batch\n  linkIds\n  excludeBots\n  isActive\n  createdAt\n  updatedAt\n  failingSince\n  disabledAt\n  disabledReason\n}"): typeof import('./graphql').SentEventFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DeliveryPayload($webhookId: ID!, $page: Int!, $status: DeliveryStatus) {\n    webhookDeliveries(webhookId: $webhookId, page: $page, pageSize: 1, status: $status) {\n      total\n      deliveries {\n        id\n        batchSize\n        payloads(pageSize: 100) {\n          data {\n            ...SentEvent\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').DeliveryPayloadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql').TestWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateWebhookSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n"): typeof import('./graphql').RotateWebhookSecretDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n"): typeof import('./graphql').DeleteWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment WebhookState on Webhook {\n    id\n    name\n    url\n    events\n    batch\n    linkIds\n    excludeBots\n    isActive\n    createdAt\n    updatedAt\n    failingSince\n    disabledAt\n    disabledReason\n  }\n"): typeof import('./graphql').WebhookStateFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {\n    updateWebhook(id: $id, input: $input) {\n      ...WebhookState\n    }\n  }\n"): typeof import('./graphql').UpdateWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      webhook {\n        id\n      }\n      secret\n    }\n  }\n"): typeof import('./graphql').CreateWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WebhookPage($id: ID!, $page: Int!, $pageSize: Int!, $status: DeliveryStatus) {\n    webhook(id: $id) {\n      ...WebhookState\n      deliveries(page: $page, pageSize: $pageSize, status: $status) {\n        total\n        page\n        pageSize\n        totalPages\n        deliveries {\n          ...DeliveryLine\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').WebhookPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DeliveryChanged($webhookId: ID!) {\n    deliveryChanged(webhookId: $webhookId) {\n      ...DeliveryLine\n    }\n  }\n"): typeof import('./graphql').DeliveryChangedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Webhooks($page: Int!, $pageSize: Int!) {\n    webhooks(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...WebhookState\n      }\n    }\n    usage {\n      webhooks {\n        used\n        limit\n      }\n    }\n  }\n"): typeof import('./graphql').WebhooksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateDomain($input: CreateDomainInput!) {\n    createDomain(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').CreateDomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n"): typeof import('./graphql').DeleteDomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinksOnDomain($domain: String!) {\n    links(domain: $domain, isArchived: null, pageSize: 1) {\n      total\n    }\n  }\n"): typeof import('./graphql').LinksOnDomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      ...DomainState\n    }\n  }\n"): typeof import('./graphql').VerifyDomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DomainState on CustomDomain {\n    id\n    domain\n    status\n    createdAt\n    updatedAt\n    activatedAt\n    failingSince\n    checkedAt\n    dnsRecords {\n      type\n      name\n      value\n      found\n      isSet\n      problem\n    }\n    settings {\n      ...HostFacts\n    }\n  }\n"): typeof import('./graphql').DomainStateFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DomainPage($id: ID!) {\n    domain(id: $id) {\n      ...DomainState\n    }\n  }\n"): typeof import('./graphql').DomainPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DomainChanged($domainId: ID!) {\n    domainChanged(domainId: $domainId) {\n      ...DomainState\n    }\n  }\n"): typeof import('./graphql').DomainChangedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateDomain($id: ID!, $input: UpdateHostInput!) {\n    updateDomain(id: $id, input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').UpdateDomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Domains($page: Int!, $pageSize: Int!) {\n    domains(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        domain\n        status\n        createdAt\n        activatedAt\n        failingSince\n        checkedAt\n        dnsRecords {\n          type\n          isSet\n          problem\n        }\n      }\n    }\n    usage {\n      domains {\n        used\n        limit\n      }\n    }\n    instance {\n      ...ClaimHost\n    }\n    subdomain {\n      ...SubdomainCard\n    }\n  }\n"): typeof import('./graphql').DomainsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SubdomainCard on SubdomainClaim {\n    id\n    host\n    status\n    activatedAt\n    updatedAt\n    settings {\n      ...HostFacts\n    }\n  }\n"): typeof import('./graphql').SubdomainCardFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ClaimHost on Instance {\n    baseUrl\n    subdomainHost\n  }\n"): typeof import('./graphql').ClaimHostFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ClaimSubdomain($input: ClaimSubdomainInput!) {\n    claimSubdomain(input: $input) {\n      ...SubdomainCard\n    }\n  }\n"): typeof import('./graphql').ClaimSubdomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ActivateSubdomain {\n    activateSubdomain {\n      ...SubdomainCard\n    }\n  }\n"): typeof import('./graphql').ActivateSubdomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSubdomain($input: UpdateHostInput!) {\n    updateSubdomain(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').UpdateSubdomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReleaseSubdomain {\n    releaseSubdomain\n  }\n"): typeof import('./graphql').ReleaseSubdomainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment HostFacts on HostSettings {\n    rootUrl\n    notFoundUrl\n    expiredUrl\n    faviconUrl\n    robotsText\n    securityContact\n    ignoresCase\n    defaultTags\n    forwardsQuery\n  }\n"): typeof import('./graphql').HostFactsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ImportErrors on ImportErrorPageResult {\n    total\n    page\n    pageSize\n    totalPages\n    data {\n      row\n      code\n      column\n      message\n      slug\n    }\n  }\n"): typeof import('./graphql').ImportErrorsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ImportPage($id: ID!, $page: Int!, $pageSize: Int!) {\n    import(id: $id) {\n      ...ImportFacts\n    }\n    importErrors(importId: $id, page: $page, pageSize: $pageSize) {\n      ...ImportErrors\n    }\n    instance {\n      ...ClaimHost\n    }\n  }\n"): typeof import('./graphql').ImportPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PreviewImport($input: PreviewImportInput!) {\n    previewImport(input: $input) {\n      source\n      hasHeader\n      columns {\n        name\n        field\n        values\n      }\n      dateFormat\n      hasUnsureDates\n    }\n  }\n"): typeof import('./graphql').PreviewImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartImport($input: StartImportInput!) {\n    startImport(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').StartImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartApiImport($input: StartApiImportInput!) {\n    startApiImport(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').StartApiImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AppendImport($id: ID!, $input: AppendImportInput!) {\n    appendImport(id: $id, input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').AppendImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelImport($id: ID!) {\n    cancelImport(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql').CancelImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ImportFacts on Import {\n    id\n    source\n    encoding\n    hasHeader\n    columns {\n      name\n      field\n    }\n    dateFormat\n    hasUnsureDates\n    resultRows\n    domain\n    isDryRun\n    state\n    total\n    done\n    created\n    skipped\n    failed\n    error\n    createdAt\n    finishedAt\n  }\n"): typeof import('./graphql').ImportFactsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Imports {\n    imports(pageSize: 50) {\n      data {\n        ...ImportFacts\n      }\n    }\n    ...LinkHosts\n  }\n"): typeof import('./graphql').ImportsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment LinkCore on Link {\n    id\n    slug\n    domain\n    shortUrl\n    destinationUrl\n    title\n    notes\n    externalId\n    tags\n    isActive\n    state\n    startsAt\n    expiresAt\n    expiredUrl\n    maxClicks\n    usedClicks\n    isArchived\n    forwardsQuery\n    hasPassword\n    asksFirst\n    notice\n    updatedAt\n    utm {\n      source\n      medium\n      campaign\n      term\n      content\n    }\n  }\n"): typeof import('./graphql').LinkCoreFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!) {\n    updateLink(id: $id, input: $input) {\n      id\n      slug\n      shortUrl\n      destinationUrl\n      isActive\n    }\n  }\n"): typeof import('./graphql').UpdateLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkPage($id: ID!) {\n    link(id: $id) {\n      ...LinkCore\n      clickCount\n      importedClicks\n      lastClickedAt\n      createdAt\n      app {\n        data\n      }\n      card {\n        title\n      }\n      clicks(limit: 20) {\n        data {\n          id\n          clickedAt\n        }\n      }\n    }\n    linkRules(linkId: $id) {\n      id\n      rules {\n        number\n      }\n      destinations {\n        number\n        url\n        label\n      }\n    }\n    linkSplit(linkId: $id) {\n      id\n      parts {\n        weight\n      }\n    }\n  }\n"): typeof import('./graphql').LinkPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription LinkClicked($linkId: ID!) {\n    clickRecorded(linkId: $linkId) {\n      ...ClickLine\n    }\n  }\n"): typeof import('./graphql').LinkClickedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment LinkHosts on Query {\n    instance {\n      baseUrl\n      subdomainHost\n    }\n    domains(pageSize: 100) {\n      data {\n        id\n        domain\n        status\n      }\n    }\n    subdomain {\n      id\n      host\n      status\n    }\n  }\n"): typeof import('./graphql').LinkHostsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkForm {\n    ...LinkHosts\n    utmTemplates(pageSize: 100) {\n      data {\n        ...UtmTemplateFields\n      }\n    }\n  }\n"): typeof import('./graphql').LinkFormDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query KnownLinks($destinationUrl: String!, $domain: String!) {\n    links(destinationUrl: $destinationUrl, domain: $domain, state: ACTIVE, isArchived: null, sort: OLDEST, pageSize: 20) {\n      data {\n        id\n        title\n        shortUrl\n        expiresAt\n        maxClicks\n      }\n    }\n  }\n"): typeof import('./graphql').KnownLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Links(\n    $page: Int!\n    $pageSize: Int!\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n    $sort: LinkSort!\n  ) {\n    links(\n      page: $page\n      pageSize: $pageSize\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n      sort: $sort\n    ) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...LinkRow\n      }\n    }\n    ...LinkHosts\n  }\n"): typeof import('./graphql').LinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NewestLink(\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n  ) {\n    links(\n      pageSize: 1\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n    ) {\n      total\n      data {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').NewestLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ArchivedLinks {\n    links(isArchived: true, pageSize: 1) {\n      total\n    }\n  }\n"): typeof import('./graphql').ArchivedLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription LinksClicks {\n    accountClicks {\n      links {\n        linkId\n        clicks\n      }\n    }\n  }\n"): typeof import('./graphql').LinksClicksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment WhyNot on ErrorPayload {\n    code\n    message\n    validationErrors {\n      path\n      message\n    }\n  }\n"): typeof import('./graphql').WhyNotFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ChosenLinks(\n    $page: Int!\n    $search: String\n    $state: LinkState\n    $isArchived: Boolean\n    $domain: String\n    $destinationUrl: String\n    $externalId: String\n    $tags: [String!]\n  ) {\n    links(\n      page: $page\n      pageSize: 100\n      search: $search\n      state: $state\n      isArchived: $isArchived\n      domain: $domain\n      destinationUrl: $destinationUrl\n      externalId: $externalId\n      tags: $tags\n      sort: OLDEST\n    ) {\n      totalPages\n      data {\n        id\n        shortUrl\n        tags\n        isActive\n        isArchived\n      }\n    }\n  }\n"): typeof import('./graphql').ChosenLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateLinks($input: UpdateLinksInput!) {\n    updateLinks(input: $input) {\n      results {\n        linkId\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteLinks($input: DeleteLinksInput!) {\n    deleteLinks(input: $input) {\n      results {\n        linkId\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').DeleteLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateLinks($input: CreateLinksInput!) {\n    createLinks(input: $input) {\n      results {\n        link {\n          id\n          shortUrl\n          destinationUrl\n        }\n        error {\n          ...WhyNot\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').CreateLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateLink($input: CreateLinkInput!) {\n    createLink(input: $input) {\n      ...LinkCore\n    }\n  }\n"): typeof import('./graphql').CreateLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NewLink {\n    ...LinkHosts\n    utmTemplates(pageSize: 100) {\n      data {\n        ...UtmTemplateFields\n      }\n    }\n    usage {\n      links {\n        used\n        limit\n      }\n    }\n  }\n"): typeof import('./graphql').NewLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription NewLinkClicked($linkId: ID!) {\n    clickRecorded(linkId: $linkId) {\n      id\n    }\n  }\n"): typeof import('./graphql').NewLinkClickedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkRehearsal($id: ID!, $input: RehearseLinkInput!) {\n    rehearseLink(linkId: $id, input: $input) {\n      visits\n      bots\n      visitsPerDay\n      phases {\n        startsAt\n        outcomes {\n          outcome\n          visits\n          bots\n        }\n      }\n      rules {\n        rule\n        name\n        visits\n        bots\n      }\n      notes\n    }\n  }\n"): typeof import('./graphql').LinkRehearsalDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkSummary(\n    $id: ID!\n    $from: DateTime!\n    $to: DateTime\n    $interval: Interval!\n    $timeZone: TimeZone!\n    $includeBots: Boolean!\n    $filter: [ClickCondition!]\n    $yearFrom: DateTime!\n    $yearTo: DateTime!\n    $withYear: Boolean!\n    $withPrevious: Boolean!\n  ) {\n    year: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    annotations(linkId: $id, from: $from, to: $to, pageSize: 100) {\n      ...Notes\n    }\n    clickSummary(\n      linkId: $id\n      from: $from\n      to: $to\n      interval: $interval\n      timeZone: $timeZone\n      includeBots: $includeBots\n      filter: $filter\n      limit: 8\n    ) {\n      isExact\n      from\n      to\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      series {\n        start\n        clicks\n        uniques\n      }\n      top {\n        ...SummaryTops\n        destinations {\n          ...SummaryTop\n        }\n        triggers {\n          ...SummaryTop\n        }\n      }\n    }\n    clicks(linkId: $id, from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: 50) {\n      data {\n        ...ClickLine\n      }\n    }\n  }\n"): typeof import('./graphql').LinkSummaryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ClickLine on ClickEvent {\n    id\n    clickedAt\n    browser\n    os\n    device\n    isBot\n    referrerHost\n    country\n  }\n"): typeof import('./graphql').ClickLineFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment LinkRow on Link {\n    ...LinkCore\n    clickCount\n    importedClicks\n    createdAt\n    clickSeries(days: 14) {\n      clicks\n    }\n  }\n"): typeof import('./graphql').LinkRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SlugAvailability($slug: String!, $domain: String!, $linkId: ID) {\n    slugAvailability(slug: $slug, domain: $domain, linkId: $linkId) {\n      state\n    }\n  }\n"): typeof import('./graphql').SlugAvailabilityDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InviteMember($input: InviteMemberInput!) {\n    inviteMember(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').InviteMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateMember($userId: ID!, $input: UpdateMemberInput!) {\n    updateMember(id: $userId, input: $input) {\n      userId\n    }\n  }\n"): typeof import('./graphql').UpdateMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($userId: ID!) {\n    removeMember(id: $userId)\n  }\n"): typeof import('./graphql').RemoveMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').UpdateAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LeaveAccount {\n    leaveAccount {\n      message\n    }\n  }\n"): typeof import('./graphql').LeaveAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').AcceptInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members($page: Int!, $pageSize: Int!, $isRead: Boolean!, $isManaged: Boolean!) {\n    me {\n      account {\n        id\n        name\n      }\n    }\n    members(page: $page, pageSize: $pageSize) @include(if: $isRead) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        userId\n        name\n        email\n        role\n        joinedAt\n      }\n    }\n    invitations(pageSize: 100) @include(if: $isManaged) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        id\n        email\n        role\n        expiresAt\n      }\n    }\n    transfers(pageSize: 100) @include(if: $isManaged) {\n      ...Transfers\n    }\n  }\n"): typeof import('./graphql').MembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeInvitation($id: ID!) {\n    revokeInvitation(id: $id)\n  }\n"): typeof import('./graphql').RevokeInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Overview($from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!, $isManaged: Boolean!) {\n    year: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {\n      totals {\n        ...SummaryTotals\n      }\n    }\n    annotations(from: $from, to: $to, pageSize: 100) {\n      ...Notes\n    }\n    accountClickSummary(\n      from: $from\n      to: $to\n      interval: $interval\n      timeZone: $timeZone\n      includeBots: $includeBots\n      filter: $filter\n      limit: 8\n    ) {\n      isExact\n      from\n      to\n      totals {\n        ...SummaryTotals\n      }\n      previous @include(if: $withPrevious) {\n        clicks\n        uniques\n        bots\n      }\n      series {\n        start\n        clicks\n        uniques\n      }\n      top {\n        ...SummaryTops\n      }\n      links {\n        linkId\n        clicks\n        link {\n          id\n          slug\n          shortUrl\n          title\n        }\n      }\n      linksOther\n      linksError\n    }\n    me {\n      id\n      account {\n        id\n        createdAt\n      }\n    }\n    usage {\n      links {\n        used\n      }\n      domains {\n        used\n      }\n      apiKeys {\n        used\n      }\n    }\n    transfers(pageSize: 100) @include(if: $isManaged) {\n      data {\n        id\n        state\n        toAccount {\n          id\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').OverviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription OverviewClicks {\n    accountClicks {\n      total\n    }\n  }\n"): typeof import('./graphql').OverviewClicksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateReport($input: CreateReportInput!) {\n    createReport(input: $input) {\n      id\n      url\n    }\n  }\n"): typeof import('./graphql').CreateReportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateReport($id: ID!, $input: UpdateReportInput!) {\n    updateReport(id: $id, input: $input) {\n      id\n      url\n    }\n  }\n"): typeof import('./graphql').UpdateReportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ReportRow on Report {\n    id\n    name\n    linkId\n    link {\n      id\n      slug\n      shortUrl\n      title\n    }\n    filter {\n      dimension\n      operator\n      values\n    }\n    period\n    back\n    from\n    to\n    includeBots\n    panels\n    showsDestinations\n    embedOrigins\n    hasPassword\n    expiresAt\n    isShared\n    url\n    updatedAt\n  }\n"): typeof import('./graphql').ReportRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Reports($page: Int!, $pageSize: Int!) {\n    reports(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...ReportRow\n      }\n    }\n  }\n"): typeof import('./graphql').ReportsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopReport($id: ID!) {\n    updateReport(id: $id, input: { isShared: false }) {\n      id\n    }\n  }\n"): typeof import('./graphql').StopReportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteReport($id: ID!) {\n    deleteReport(id: $id)\n  }\n"): typeof import('./graphql').DeleteReportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RulesShown on LinkRules {\n    id\n    updatedAt\n    rules {\n      number\n      name\n      conditions {\n        kind\n        values\n        key\n        negated\n      }\n      destination {\n        url\n      }\n      split {\n        destination {\n          url\n          label\n        }\n        weight\n      }\n    }\n    warnings {\n      rule\n      condition\n      reason\n    }\n  }\n"): typeof import('./graphql').RulesShownFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SplitShown on LinkSplit {\n    id\n    updatedAt\n    autoStopsAt\n    parts {\n      destination {\n        url\n        label\n      }\n      weight\n    }\n  }\n"): typeof import('./graphql').SplitShownFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RulesPage($id: ID!) {\n    link(id: $id) {\n      id\n      shortUrl\n      destinationUrl\n      updatedAt\n    }\n    linkRules(linkId: $id) {\n      ...RulesShown\n    }\n    linkSplit(linkId: $id) {\n      ...SplitShown\n    }\n  }\n"): typeof import('./graphql').RulesPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Rehearsal($id: ID!, $input: RehearseRulesInput!) {\n    rehearseRules(linkId: $id, input: $input) {\n      from\n      visits\n      outcomes {\n        rule\n        visits\n        bots\n        undecided\n      }\n      unknown {\n        rule\n        condition\n        reason\n      }\n    }\n  }\n"): typeof import('./graphql').RehearsalDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SplitReport($id: ID!, $rule: Int) {\n    splitReport(linkId: $id, rule: $rule) {\n      from\n      isUneven\n      parts {\n        destination {\n          number\n          url\n          label\n        }\n        expectedShare\n        clicks\n        visitors\n        share {\n          share\n          low\n          high\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').SplitReportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetLinkRules($id: ID!, $input: SetLinkRulesInput!) {\n    setLinkRules(linkId: $id, input: $input) {\n      ...RulesShown\n    }\n  }\n"): typeof import('./graphql').SetLinkRulesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetLinkSplit($id: ID!, $input: SetLinkSplitInput!) {\n    setLinkSplit(linkId: $id, input: $input) {\n      ...SplitShown\n    }\n  }\n"): typeof import('./graphql').SetLinkSplitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExplainVisit($id: ID!, $input: ExplainRedirectInput!) {\n    explainRedirect(linkId: $id, input: $input) {\n      state\n      answer\n      rule\n      isSplit\n      finalUrl\n      rules {\n        number\n        name\n        result\n        failedCondition\n      }\n    }\n  }\n"): typeof import('./graphql').ExplainVisitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SwitchAccount($input: SwitchAccountInput!) {\n    switchAccount(input: $input) {\n      accessToken\n      expiresIn\n      user {\n        ...SignedIn\n      }\n    }\n  }\n"): typeof import('./graphql').SwitchAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SignedIn on User {\n    id\n    email\n    name\n    createdAt\n    emailVerifiedAt\n    pendingEmail\n  }\n"): typeof import('./graphql').SignedInFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WhatDies($hasBilling: Boolean!) {\n    usage {\n      links {\n        used\n      }\n      domains {\n        used\n      }\n      webhooks {\n        used\n      }\n      apiKeys {\n        used\n      }\n    }\n    subscription @include(if: $hasBilling) {\n      id\n      planId\n    }\n    plans @include(if: $hasBilling) {\n      plans {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').WhatDiesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteMe($input: DeleteMeInput!) {\n    deleteMe(input: $input)\n  }\n"): typeof import('./graphql').DeleteMeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ExportLinks on LinkPageResult {\n    total\n    data {\n      id\n      shortUrl\n      clickCount\n    }\n  }\n"): typeof import('./graphql').ExportLinksFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment IdentityRow on Identity {\n    id\n    provider\n    email\n    createdAt\n    lastUsedAt\n  }\n"): typeof import('./graphql').IdentityRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveIdentity($id: ID!) {\n    removeIdentity(id: $id)\n  }\n"): typeof import('./graphql').RemoveIdentityDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment PasskeyRow on Passkey {\n    id\n    name\n    createdAt\n    lastUsedAt\n  }\n"): typeof import('./graphql').PasskeyRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartPasskey {\n    startPasskey {\n      challenge\n      options\n    }\n  }\n"): typeof import('./graphql').StartPasskeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddPasskey($input: AddPasskeyInput!) {\n    addPasskey(input: $input) {\n      recoveryCodes\n    }\n  }\n"): typeof import('./graphql').AddPasskeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemovePasskey($id: ID!) {\n    removePasskey(id: $id)\n  }\n"): typeof import('./graphql').RemovePasskeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateMe($input: UpdateMeInput!) {\n    updateMe(input: $input) {\n      user {\n        ...SignedIn\n      }\n      accessToken\n      expiresIn\n    }\n  }\n"): typeof import('./graphql').UpdateMeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SecurityState on Security {\n    totpSince\n    hasPassword\n    recoveryCodesLeft\n  }\n"): typeof import('./graphql').SecurityStateFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartTotp {\n    startTotp {\n      secret\n      uri\n    }\n  }\n"): typeof import('./graphql').StartTotpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveTotp {\n    removeTotp {\n      message\n    }\n  }\n"): typeof import('./graphql').RemoveTotpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewRecoveryCodes {\n    renewRecoveryCodes {\n      recoveryCodes\n    }\n  }\n"): typeof import('./graphql').RenewRecoveryCodesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SessionRow on Session {\n    id\n    browser\n    os\n    country\n    createdAt\n    lastSeenAt\n    isCurrent\n  }\n"): typeof import('./graphql').SessionRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndSession($id: ID!) {\n    endSession(id: $id)\n  }\n"): typeof import('./graphql').EndSessionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndOtherSessions {\n    endOtherSessions {\n      endedCount\n    }\n  }\n"): typeof import('./graphql').EndOtherSessionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmTotp($input: ConfirmTotpInput!) {\n    confirmTotp(input: $input) {\n      recoveryCodes\n    }\n  }\n"): typeof import('./graphql').ConfirmTotpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Settings($hasLinks: Boolean!) {\n    me {\n      ...SignedIn\n    }\n    security {\n      ...SecurityState\n      provedAt\n    }\n    passkeys {\n      passkeys {\n        ...PasskeyRow\n      }\n    }\n    identities {\n      identities {\n        ...IdentityRow\n      }\n    }\n    instance {\n      companySignIn\n      hasPasskeys\n      hasPasswordLogin\n    }\n    sessions {\n      sessions {\n        ...SessionRow\n      }\n    }\n    links(isArchived: null, pageSize: 100, sort: MOST_CLICKED) @include(if: $hasLinks) {\n      ...ExportLinks\n    }\n  }\n"): typeof import('./graphql').SettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Mail {\n    instance {\n      isMailConfigured\n    }\n  }\n"): typeof import('./graphql').MailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaletteLinks($search: String!) {\n    links(search: $search, pageSize: 8, sort: MOST_CLICKED) {\n      data {\n        id\n        shortUrl\n        destinationUrl\n        title\n      }\n    }\n  }\n"): typeof import('./graphql').PaletteLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Workspaces {\n    me {\n      account {\n        id\n        name\n      }\n      memberships {\n        account {\n          id\n          name\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').WorkspacesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateTag($input: CreateTagInput!) {\n    createTag(input: $input) {\n      ...TagRow\n    }\n  }\n"): typeof import('./graphql').CreateTagDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenameTag($id: ID!, $input: UpdateTagInput!) {\n    updateTag(id: $id, input: $input) {\n      ...TagRow\n    }\n  }\n"): typeof import('./graphql').RenameTagDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MergeTag($id: ID!, $input: MergeTagInput!) {\n    mergeTag(id: $id, input: $input) {\n      ...TagRow\n    }\n  }\n"): typeof import('./graphql').MergeTagDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteTag($id: ID!) {\n    deleteTag(id: $id)\n  }\n"): typeof import('./graphql').DeleteTagDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TagsNamed($search: String!, $page: Int!) {\n    tags(search: $search, page: $page, pageSize: 100) {\n      totalPages\n      data {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').TagsNamedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TagRow on Tag {\n    id\n    name\n    linkCount\n    createdAt\n    updatedAt\n  }\n"): typeof import('./graphql').TagRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Tags($page: Int!, $pageSize: Int!, $search: String) {\n    tags(page: $page, pageSize: $pageSize, search: $search) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...TagRow\n      }\n    }\n  }\n"): typeof import('./graphql').TagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SuggestedTags($search: String!) {\n    tags(search: $search, pageSize: 20) {\n      data {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').SuggestedTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TransferChoices($domain: String, $isDomain: Boolean!) {\n    me {\n      memberships {\n        account {\n          id\n          name\n        }\n      }\n    }\n    instance {\n      baseUrl\n    }\n    links(domain: $domain, isArchived: null, pageSize: 1) @include(if: $isDomain) {\n      total\n    }\n  }\n"): typeof import('./graphql').TransferChoicesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OfferTransfer($input: OfferTransferInput!) {\n    offerTransfer(input: $input) {\n      id\n      toAccount {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').OfferTransferDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TransferFacts on Transfer {\n    id\n    fromAccount {\n      id\n      name\n    }\n    toAccount {\n      id\n      name\n    }\n    domain\n    shortUrls\n    linkCount\n    movedLinks\n    state\n    expiresAt\n  }\n"): typeof import('./graphql').TransferFactsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Transfers on TransferPageResult {\n    total\n    data {\n      ...TransferFacts\n    }\n  }\n"): typeof import('./graphql').TransfersFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcceptTransfer($id: ID!) {\n    acceptTransfer(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql').AcceptTransferDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteTransfer($id: ID!) {\n    deleteTransfer(id: $id)\n  }\n"): typeof import('./graphql').DeleteTransferDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateUtmTemplate($input: CreateUtmTemplateInput!) {\n    createUtmTemplate(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').CreateUtmTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateUtmTemplate($id: ID!, $input: UpdateUtmTemplateInput!) {\n    updateUtmTemplate(id: $id, input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql').UpdateUtmTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteUtmTemplate($id: ID!) {\n    deleteUtmTemplate(id: $id)\n  }\n"): typeof import('./graphql').DeleteUtmTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UtmTemplates($page: Int!, $pageSize: Int!) {\n    utmTemplates(page: $page, pageSize: $pageSize) {\n      total\n      page\n      pageSize\n      totalPages\n      data {\n        ...UtmTemplateFields\n      }\n    }\n  }\n"): typeof import('./graphql').UtmTemplatesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment UtmTemplateFields on UtmTemplate {\n    id\n    name\n    source\n    medium\n    campaign\n    term\n    content\n    updatedAt\n  }\n"): typeof import('./graphql').UtmTemplateFieldsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetHostPages($host: String!, $input: SetHostPagesInput!) {\n    setHostPages(host: $host, input: $input) {\n      updatedAt\n    }\n  }\n"): typeof import('./graphql').SetHostPagesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query VisitorPages {\n    ...LinkHosts\n  }\n"): typeof import('./graphql').VisitorPagesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HostPages($host: String!) {\n    hostPages(host: $host) {\n      host\n      accentColor\n      backgroundColor\n      logoImageId\n      logoUrl\n      texts {\n        page\n        language\n        title\n        text\n      }\n      updatedAt\n    }\n  }\n"): typeof import('./graphql').HostPagesDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
