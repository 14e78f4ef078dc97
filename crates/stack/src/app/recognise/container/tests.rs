use super::*;

fn run(files: &[(&str, &str)]) -> Option<Run> {
    let dir = testkit::temp_dir();
    for (file, text) in files {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    find(dir.path())
}

fn of_image(text: &str) -> String {
    run(&[("Dockerfile", text), ("start.sh", "")]).map_or_else(String::new, |run| run.command)
}

#[test]
fn the_last_stage_of_an_image_says_what_runs() {
    for (text, command) in [
        (
            "FROM a\nCMD [\"gunicorn\", \"-b\", \"0.0.0.0:80\", \"a:b\"]",
            "gunicorn -b 0.0.0.0:80 a:b",
        ),
        (
            "FROM a\nCMD other\nFROM b\ncmd gunicorn \\\n  # workers\n  -w 2 a:b",
            "gunicorn    -w 2 a:b",
        ),
        (
            "ENTRYPOINT [\"tini\", \"-g\", \"--\"]\nCMD [\"uvicorn\", \"a:b\"]",
            "uvicorn a:b",
        ),
        (
            "ENTRYPOINT [\"/docker-entrypoint.sh\"]\nCMD [\"uvicorn\", \"a:b\"]",
            "uvicorn a:b",
        ),
        (
            "ENTRYPOINT [\"/bin/sh\", \"-c\"]\nCMD [\"uvicorn a:b --port $PORT\"]",
            "uvicorn a:b --port $PORT",
        ),
        (
            "WORKDIR /srv/\nCMD [\"/srv/start.sh\", \"an app\"]",
            "./start.sh 'an app'",
        ),
        ("ENTRYPOINT [\"flask\"]\nCMD run", "flask sh -c run"),
        (
            "CMD [\"a\", \"--port=${PORT:-80}\"]",
            "a \"--port=${PORT:-80}\"",
        ),
        ("FROM nginx\nCMD [\"nginx\", \"-g\", \"daemon off;\"]", ""),
        ("FROM nginx\nCOPY dist /usr/share/nginx/html", ""),
        ("CMD []", ""),
        (
            "WORKDIR /srv\nCMD cd /srv && /srv/start.sh --log=/srv/lost.log",
            "cd . && ./start.sh --log=/srv/lost.log",
        ),
        (
            "WORKDIR /srv\nCMD [\"a\", \"--with=/srv/start.sh\", \"/srv\", \"/srvs\"]",
            "a '--with=./start.sh' . /srvs",
        ),
        (
            "WORKDIR /srv\nCMD sh -c '/srv/start.sh'",
            "sh -c './start.sh'",
        ),
    ] {
        assert_eq!(of_image(text), command, "{text}");
    }
}

#[test]
fn of_a_compose_file_the_service_that_is_built_here_counts() {
    let compose = "services:\n  db: {image: postgres, command: postgres -c x=y}\n  worker: {build: ., command: celery}\n  \
                   site:\n    build: {context: .}\n    ports: ['80:80']\n    command: uvicorn a:b --port $$PORT\n    \
                   environment: {SECRET: hush, PORT: 80}\n";
    let found = run(&[("compose.yaml", compose)]).unwrap();
    assert_eq!(found.command, "uvicorn a:b --port $PORT");
    assert_eq!(
        (found.file.as_str(), found.variables),
        ("compose.yaml", vec!["SECRET".to_owned()])
    );
    let image = ("Dockerfile", "ENV A=b C='d e'\nENV E f\nCMD gunicorn a:b\n");
    let bare = "services:\n  web:\n    build: .\n    environment: ['X=y']\n";
    let found = run(&[("docker-compose.yml", bare), image]).unwrap();
    assert_eq!(
        (found.command.as_str(), found.file.as_str()),
        ("gunicorn a:b", "Dockerfile")
    );
    assert_eq!(found.variables, ["A", "C", "E"]);
    let listed = bare.to_owned() + "    command: [gunicorn, 'c:d']\n";
    assert_eq!(
        run(&[("compose.yml", &listed), image]).unwrap().command,
        "gunicorn c:d"
    );
}

#[test]
fn a_compose_file_that_is_none_says_nothing() {
    for text in [
        "",
        "services: [a]",
        "a: [",
        "services:\n  web: {command: a}\n",
    ] {
        assert_eq!(run(&[("compose.yaml", text)]), None, "{text}");
    }
    // each line doubles the one before it
    let mut bomb = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        let line = format!("a{level}: &a{level} [*a{before}, *a{before}]\n");
        bomb.push_str(&line);
    }
    bomb += "services: {web: {build: ., command: *a39}}\n";
    assert_eq!(run(&[("compose.yaml", &bomb)]), None);
}
