/**
 * The Permissions-Policy header: browser features that pages may use. Only the clipboard («Скопировать») and passkeys are allowed, and
 * only for our own pages. A site that embeds the widget cannot grant its frame more, because a feature needs the permission of both.
 */
const USED = ["clipboard-write", "publickey-credentials-create", "publickey-credentials-get"];
const DENIED = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
];

export const PERMISSIONS_POLICY = [...USED.map((name) => `${name}=(self)`), ...DENIED.map((name) => `${name}=()`)].join(
  ", ",
);
