# Somebody who may log in. The table is one account and a wait, in which the process is not free for anybody else;
# the password's digest is PBKDF2 (RFC 8018), with so few rounds that it costs some milliseconds of a core.
class Account
  include ActiveModel::Model

  # Rounds of the password's digest, and seconds that the database takes to answer: LOGIN_ROUNDS and LOGIN_WAIT
  # make a login cheaper, where what carries the request is measured.
  ROUNDS = Integer(ENV.fetch("LOGIN_ROUNDS", "20000"))
  DATABASE = Float(ENV.fetch("LOGIN_WAIT", "0.01"))
  SALT = "weir: a salt for one account in a laboratory"

  attr_accessor :name, :password_digest

  def self.digest(password)
    OpenSSL::PKCS5.pbkdf2_hmac(password, SALT, ROUNDS, 32, "sha256")
  end

  def self.find_by_name(name)
    sleep DATABASE if DATABASE > 0
    ADA if name == ADA.name
  end

  # An unknown name costs as much as a wrong password, or the time would tell them apart.
  def self.authenticate(name, password)
    account = find_by_name(name)
    given = digest(password)
    account if account && ActiveSupport::SecurityUtils.secure_compare(given, account.password_digest)
  end

  ADA = new(name: "ada", password_digest: digest("correct horse"))
end
