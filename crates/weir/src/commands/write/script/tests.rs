//! What a script says, and what its functions do in a shell.

use std::process::Command;

use super::*;

/// What a shell prints that knows the functions of a script, and what it says besides.
fn run_in_shell(text: &str) -> String {
    let folder = testkit::temp_dir();
    let folder = quoted(folder.path());
    let all = format!("set -eu\ngrace=1\nfolder={folder}\n{BEGINS}\n{text}");
    let ran = Command::new("sh").args(["-c", &all]).output().unwrap();
    let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (said(ran.stdout), said(ran.stderr));
    assert!(ran.status.success(), "{out}{err}");
    out + &err
}

#[test]
fn what_is_known_when_the_script_runs_is_a_variable_of_it() {
    let marks = [
        (Deployed::HOST, "host"),
        (Deployed::PORT, "port"),
        ("@PORT1@", "port1"),
    ];
    let marks = marks.map(|(mark, name)| (mark.to_owned(), name.to_owned()));
    for (text, said) in [
        ("", "''"),
        ("a b", "'a b'"),
        ("@HOST@:@PORT@", "\"$host\":\"$port\""),
        ("PORT=@PORT@", "'PORT='\"$port\""),
        (
            "tcp://@HOST@:@PORT@?a=1&b",
            "tcp://\"$host\":\"$port\"'?a=1&b'",
        ),
        ("-p@PORT1@@PORT@", "-p\"$port1\"\"$port\""),
    ] {
        assert_eq!(line(&[text.to_owned()], &marks), said);
    }
}

#[test]
fn what_a_process_is_called_steers_no_terminal() {
    let text = r#"
printf 'x\033[2J\\033c' > /proc/$$/comm
echo $$
named $$
say "$(named $$)"
"#;
    let said = run_in_shell(text);
    let pid = said.lines().next().unwrap();
    let named = format!("x[2J\\033c (process {pid})");
    assert_eq!(said, format!("{pid}\n{named}\nsh: {named}\n"));
}

#[test]
fn a_name_like_a_line_of_the_kernels_table_makes_no_process_a_member() {
    let text = r#"
members "$(figure $$ 4)" | sed -n "s/^$$\$/it is one/p"
printf '\n1 () S   7 ' > /proc/$$/comm
members 7 | sed -n 's/^1$/so is the first/p'
"#;
    assert_eq!(run_in_shell(text), "it is one\n");
}

#[test]
fn what_no_start_has_noted_is_not_ended() {
    let text = r#"
worker=$(setsid sh -c 'sleep 60 > /dev/null 2>&1 & echo $!')
session=$(figure "$worker" 4)
for seen in '' x 0 99999999999999999999999 999999999999; do
    echo "$seen" > "$folder/seen"
    if owned "$session" 1; then echo "$seen is one"; fi
done
if owned '[0-9]*' 1; then echo 'all are'; fi
kill "$worker"
"#;
    assert_eq!(run_in_shell(text), "999999999999 is one\n");
}

#[test]
fn a_file_that_is_called_like_a_socket_is_none() {
    let text = r#"
exec 8> "$folder/ socket:[5]"
owners 5
"#;
    let text = format!("port=1 highest=2 host=127.0.0.1\n{PORTS}{text}");
    assert_eq!(run_in_shell(&text), "");
}

#[test]
fn a_program_that_heeds_no_signal_is_killed_in_the_end_and_no_other_process_is() {
    let text = r#"
noted=$folder/running
space=here
grace=0
setsid sh -c 'trap "" TERM; : > "$0/ready"; while :; do sleep 0.1; done' "$folder" > /dev/null 2>&1 &
started stubborn TERM
until [ -e "$folder/ready" ]; do sleep 0.1; done
pid=${running% }
eval "since_$pid=1"
stop
[ -z "$(began "$pid")" ] || echo 'a process of another time lives'
eval "since_$pid=$(began "$pid")"
stop
[ -n "$(began "$pid")" ] || echo 'it is killed'
"#;
    let said = run_in_shell(text);
    assert_eq!(said, "a process of another time lives\nit is killed\n");
}

#[test]
fn what_a_signal_keeps_from_being_noted_is_ended_as_well() {
    let begun = "setsid sleep 60 > /dev/null 2>&1 &\nprogram=$!\n";
    let noted = "running=$program\neval \"signal_$program=TERM since_$program=\"\n";
    for then in ["", noted] {
        let ends = "end\n[ -n \"$(began \"$program\")\" ] || echo ended\n";
        let said = run_in_shell(&[begun, then, ends].concat());
        assert_eq!(said, "ended\n", "{then}");
    }
}
