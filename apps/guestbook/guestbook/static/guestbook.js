// Says how many characters still fit, and keeps a double click from signing twice.
const form = document.querySelector("form");
const message = form.elements.message;

const left = document.createElement("span");
left.className = "left";
message.after(left);

const count = () => {
  left.textContent = `${message.maxLength - message.value.length} characters left`;
};
message.addEventListener("input", count);
count();

form.addEventListener("submit", () => {
  form.querySelector("button").disabled = true;
});
